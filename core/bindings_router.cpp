// The border between Python and the core, for predicting.
#include "predict.hpp"
#include "python.hpp"

using namespace nanobind::literals;

namespace bough {
namespace {

/// A router, and the arrays of its tree, which it reads.
class PythonRouter {
  public:
    explicit PythonRouter(const Dict& arrays)
        : owners_(arrays.values()),
          kinds_(lent<std::uint8_t>(arrays, "kinds", {})),
          router_(lent_view(arrays)) {}

    void look_up(const Columns& columns, const Matrix<std::uint8_t>& of_nodes,
                 const OutMatrix<std::uint8_t>& of_rows, std::size_t n_threads) const {
        const std::size_t n_rows = of_rows.shape(0);
        const NodeEntries entries = entries_of(of_nodes, of_rows, n_rows);
        const auto raw = raw_columns(columns, kinds_, n_rows);
        interruptibly(is_short(n_rows), [&](const Cancel& cancel) {
            router_.look_up(raw, n_rows, entries, n_threads, cancel);
        });
    }

    void look_up_sparse(const Vector<std::int64_t>& starts, const Vector<std::int32_t>& columns,
                        const Vector<double>& values, const Vector<std::int32_t>& places,
                        const Matrix<std::uint8_t>& of_nodes,
                        const OutMatrix<std::uint8_t>& of_rows, std::size_t n_threads) const {
        const SparseRows rows{span_of(starts), span_of(columns), span_of(values), span_of(places)};
        check_sparse(rows);
        const NodeEntries entries = entries_of(of_nodes, of_rows, rows.size());
        interruptibly(is_short(rows.size()), [&](const Cancel& cancel) {
            router_.look_up(rows, entries, n_threads, cancel);
        });
    }

    auto answers(const Columns& columns, std::size_t n_rows, std::size_t row, bool weigh) const {
        require(row < n_rows, "there is no such row");
        const auto raw = raw_columns(columns, kinds_, n_rows);
        return to_python(router_.answers(raw, row, weigh));
    }

    auto weighed_rows(const Columns& columns, std::size_t n_rows, std::size_t n_threads) const {
        const auto raw = raw_columns(columns, kinds_, n_rows);
        return to_python(interruptibly(is_short(n_rows), [&](const Cancel& cancel) {
            return router_.weighed_rows(raw, n_rows, n_threads, cancel);
        }));
    }

    auto parts(const Columns& columns, std::size_t n_rows, const Vector<std::int64_t>& rows,
               const Vector<double>& flow) const {
        check_weighing(n_rows, rows, flow);
        const auto raw = raw_columns(columns, kinds_, n_rows);
        Parts found = interruptibly(is_short_weighing(rows), [&](const Cancel& cancel) {
            return router_.parts(raw, span_of(rows), span_of(flow), cancel);
        });
        return std::tuple(to_python(std::move(found.starts)), to_python(std::move(found.nodes)),
                          to_python(std::move(found.shares)), to_python(std::move(found.stops)));
    }

    void mix(const Columns& columns, std::size_t n_rows, const Vector<std::int64_t>& rows,
             const Vector<double>& flow, const Matrix<double>& of_nodes,
             const OutMatrix<double>& of_rows, std::size_t n_threads) const {
        check_weighing(n_rows, rows, flow);
        const std::size_t size = of_nodes.shape(1);
        require(of_nodes.shape(0) == router_.n_nodes() && of_rows.shape(0) == rows.shape(0) &&
                    of_rows.shape(1) == size,
                "entries of nodes and rows differ");
        const auto raw = raw_columns(columns, kinds_, n_rows);
        interruptibly(is_short_weighing(rows), [&](const Cancel& cancel) {
            router_.mix(raw, span_of(rows), span_of(flow), of_nodes.data(), of_rows.data(), size,
                        n_threads, cancel);
        });
    }

  private:
    [[nodiscard]] NodeEntries entries_of(const Matrix<std::uint8_t>& of_nodes,
                                         const OutMatrix<std::uint8_t>& of_rows,
                                         std::size_t n_rows) const {
        require(of_nodes.shape(0) == router_.n_nodes() && of_nodes.shape(1) == of_rows.shape(1) &&
                    of_rows.shape(0) == n_rows,
                "entries of nodes and rows differ");
        return {of_nodes.data(), of_rows.data(), of_nodes.shape(1)};
    }
    [[nodiscard]] bool is_short(std::size_t n_rows) const {
        constexpr std::size_t few_steps = 2'000'000;
        return router_.n_steps(n_rows) < few_steps;
    }
    void check_sparse(const SparseRows& rows) const {
        require(!rows.starts.empty() && rows.starts.front() == 0 &&
                    std::ranges::is_sorted(rows.starts) &&
                    static_cast<std::size_t>(rows.starts.back()) == rows.values.size() &&
                    rows.columns.size() == rows.values.size(),
                "rows do not follow each other");
        const auto n_features = static_cast<std::int32_t>(kinds_.size());
        require(std::ranges::all_of(rows.places,
                                    [&](std::int32_t place) { return place < n_features; }),
                "there is no such place");
        std::uint32_t most = 0;
        for (const std::int32_t column : rows.columns)
            most = std::max(most, static_cast<std::uint32_t>(column));  // a negative one is large
        require(rows.columns.empty() || most < rows.places.size(), "there is no such column");
    }
    /// A row may meet every node.
    [[nodiscard]] bool is_short_weighing(const Vector<std::int64_t>& rows) const {
        constexpr std::size_t few_nodes = 200'000;
        return rows.shape(0) * router_.n_nodes() < few_nodes;
    }
    void check_weighing(std::size_t n_rows, const Vector<std::int64_t>& rows,
                        const Vector<double>& flow) const {
        require(flow.shape(0) == router_.n_nodes(), "there must be a share for each node");
        for (const std::int64_t row : span_of(rows))
            require(row >= 0 && static_cast<std::size_t>(row) < n_rows, "there is no such row");
    }

    nb::object owners_;
    std::span<const std::uint8_t> kinds_;
    Router router_;
};

}  // namespace

void bind_router(nb::module_& module) {
    nb::class_<PythonRouter>(module, "Router", "A tree made ready to lead rows down.")
        .def(nb::init<const Dict&>(), "arrays"_a)
        .def("look_up", &PythonRouter::look_up, "columns"_a, "of_nodes"_a, "of_rows"_a,
             "n_threads"_a, "Copy to each row what stands at the node where it stops.")
        .def("look_up_sparse", &PythonRouter::look_up_sparse, "starts"_a, "columns"_a, "values"_a,
             "places"_a, "of_nodes"_a, "of_rows"_a, "n_threads"_a,
             "The same for rows of which only some values are stored; places says which feature "
             "each column is, or -1.")
        .def("answers", &PythonRouter::answers, "columns"_a, "n_rows"_a, "row"_a, "weigh"_a,
             "Return for each node the child that a row would go to from there; -1 if to none, -2 "
             "if to all.")
        .def("weighed_rows", &PythonRouter::weighed_rows, "columns"_a, "n_rows"_a, "n_threads"_a,
             "Return the rows that a missing value can send to all answers of a query.")
        .def("parts", &PythonRouter::parts, "columns"_a, "n_rows"_a, "rows"_a, "flow"_a,
             "Return where the nodes of each row begin, the nodes that it meets in parts, how much "
             "of it comes there, and whether that stops there.")
        .def("mix", &PythonRouter::mix, "columns"_a, "n_rows"_a, "rows"_a, "flow"_a, "of_nodes"_a,
             "of_rows"_a, "n_threads"_a,
             "Write for each row the mean of what stands at the nodes where its parts stop.");
}

}  // namespace bough

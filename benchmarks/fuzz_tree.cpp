// The arrays of a damaged tree through the core's checker, guided by coverage (libFuzzer): what is
// not refused must lead any row down without tripping a sanitizer. `make fuzz-tree` builds and runs
// it.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "check_tree.hpp"
#include "predict.hpp"

namespace {

using namespace bough;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double most = std::numeric_limits<double>::max();
constexpr std::int64_t edges[] = {0,
                                  1,
                                  -1,
                                  2,
                                  3,
                                  7,
                                  2147483647,
                                  -2147483648LL,
                                  1LL << 53,
                                  std::numeric_limits<std::int64_t>::max(),
                                  std::numeric_limits<std::int64_t>::min()};
constexpr double numbers[] = {0.0,
                              -0.0,
                              0.5,
                              1.0,
                              1.5,
                              -3.0,
                              5e-324,
                              most,
                              -most,
                              nan,
                              std::numeric_limits<double>::infinity(),
                              1e15};

/// The bytes of the fuzzer, one after the other; zeros when they are used up.
struct Bytes {
    const std::uint8_t* next;
    const std::uint8_t* end;
    std::uint8_t one() { return next < end ? *next++ : 0; }
    std::size_t below(std::size_t n) { return one() % n; }
};

/// A tree that is right but for a few entries.
struct Arrays {
    std::vector<std::int32_t> feature, codes, answers, codes_start{0}, first_child, n_children,
        missing_child, n_choices, n_classes;
    std::vector<std::uint8_t> query_kind, kinds, are_dates;
    std::vector<double> pivot, tally, guess, share, impurity, gain, relevance, shown;
    std::vector<std::int64_t> pivot_int, n_rows;

    explicit Arrays(Bytes& bytes) {
        for (std::size_t n = 1 + bytes.below(4); n > 0; --n) {
            kinds.push_back(static_cast<std::uint8_t>(bytes.below(4)));
            n_choices.push_back(kinds.back() < 2 ? 0
                                                 : static_cast<std::int32_t>(2 + bytes.below(4)));
            are_dates.push_back(0);
        }
        const bool has_classes = bytes.below(2) == 1;
        n_classes.assign(1, has_classes ? 2 : 0);
        for (std::size_t id = 0, n = 1; id < n; ++id) n += add_node(bytes, id, n);
        for (std::size_t id = size(); id-- > 0;)
            for (std::int32_t i = 0; i < n_children[id]; ++i)
                n_rows[id] += n_rows[static_cast<std::size_t>(first_child[id] + i)];
        tally.assign(size() * (has_classes ? 2 : 3), 1.0);
        if (!has_classes) guess.assign(size(), 0.5);
        if (has_classes && bytes.below(4) == 0) share.assign(size(), 0.5);
        if (bytes.below(4) == 0) pivot_int.assign(size(), 0);
        if (bytes.below(2) == 0) shown = pivot;
        impurity.assign(size(), 0.25);
        gain.assign(size(), 0.0);
        for (std::size_t n = bytes.below(6); n > 0; --n) damage(bytes);
    }

    [[nodiscard]] std::size_t size() const { return feature.size(); }

    std::size_t add_node(Bytes& bytes, std::size_t id, std::size_t n) {
        const bool is_leaf = id >= 24 || bytes.below(3) == 0;
        const std::size_t column = bytes.below(kinds.size());
        const bool is_choice = kinds[column] == 3;
        const std::size_t asks = bytes.below(4);  // 0: whether it is missing
        const Kind kind = asks == 0    ? Kind::is_missing
                          : !is_choice ? Kind::below
                          : asks == 1  ? Kind::each_value
                                       : Kind::one_of;
        std::int32_t count = is_leaf ? 0 : 2;
        if (!is_leaf && is_choice && kind != Kind::is_missing)
            for (std::int32_t code = 0; code < 2; ++code) {
                codes.push_back(code);
                answers.push_back(code);
            }
        const bool goes_on = !is_leaf && (kind == Kind::is_missing || bytes.below(2) == 1);
        if (goes_on && kind == Kind::each_value) ++count;
        const auto first = static_cast<std::int32_t>(n);
        feature.push_back(is_leaf ? -1 : static_cast<std::int32_t>(column));
        query_kind.push_back(is_leaf ? 0 : static_cast<std::uint8_t>(kind));
        pivot.push_back(is_leaf || kind != Kind::below ? nan
                        : kinds[column] == 2           ? 0.5 + static_cast<double>(bytes.below(2))
                                                       : static_cast<double>(bytes.one()) / 8 - 9);
        codes_start.push_back(static_cast<std::int32_t>(codes.size()));
        first_child.push_back(is_leaf ? -1 : first);
        n_children.push_back(count);
        missing_child.push_back(!goes_on ? -1 : kind == Kind::each_value ? first + 2 : first);
        n_rows.push_back(is_leaf ? 1 : 0);
        return static_cast<std::size_t>(count);
    }

    /// Put some number where another one was.
    void damage(Bytes& bytes) {
        const auto put = [&](auto& array, auto value) {
            using Value = typename std::decay_t<decltype(array)>::value_type;
            if (!array.empty()) array[bytes.one() % array.size()] = static_cast<Value>(value);
        };
        const std::size_t which = bytes.below(19);
        const std::int64_t whole = bytes.below(2) == 0 ? edges[bytes.below(std::size(edges))]
                                                       : static_cast<std::int64_t>(bytes.one()) - 2;
        const double number = numbers[bytes.below(std::size(numbers))];
        std::vector<std::int32_t>* small[] = {
            &feature, &codes, &answers, &codes_start, &first_child, &n_children, &missing_child};
        std::vector<double>* doubles[] = {&pivot, &tally, &guess, &share, &impurity, &gain, &shown};
        if (which < 7) return put(*small[which], static_cast<std::int32_t>(whole));
        if (which < 14) return put(*doubles[which - 7], number);
        if (which < 16) return put(query_kind, static_cast<std::uint8_t>(whole));
        if (which < 18) return put(pivot_int, whole);
        put(n_rows, whole);
    }

    [[nodiscard]] WholeTree view() const {
        WholeTree tree;
        tree.feature = feature, tree.query_kind = query_kind, tree.pivot = pivot;
        tree.pivot_int = pivot_int, tree.codes = codes, tree.answers = answers;
        tree.codes_start = codes_start, tree.first_child = first_child;
        tree.n_children = n_children, tree.missing_child = missing_child;
        tree.kinds = kinds, tree.n_choices = n_choices, tree.tally = tally, tree.guess = guess;
        tree.share = share, tree.n_rows = n_rows, tree.impurity = impurity, tree.gain = gain;
        tree.relevance = relevance, tree.shown = shown;
        tree.n_classes = n_classes, tree.are_dates = are_dates;
        return tree;
    }
};

/// Lead rows with values at edges down a tree, in every way.
void predict(const WholeTree& tree) {
    constexpr std::size_t n_rows = 24;
    static std::vector<double> doubles(n_rows);
    static std::vector<Whole> wholes(n_rows);
    static std::vector<Code32> codes(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) {
        const double number = numbers[i % std::size(numbers)];
        doubles[i] = std::isinf(number) ? 0.25 : number;
        wholes[i] = static_cast<Whole>(edges[i % std::size(edges)]);
        codes[i] = static_cast<Code32>(static_cast<std::int32_t>(i % 8) - 2);
    }
    std::vector<RawColumn> columns;
    for (const std::uint8_t kind : tree.kinds) {
        RawColumn column;
        if (kind == 0) column.values = Strided<double>{doubles.data()};
        if (kind == 1) column.values = Strided<Whole>{wholes.data()};
        if (kind > 1) column.values = Strided<Code32>{codes.data()};
        columns.push_back(column);
    }
    const Router router(tree);
    std::vector<std::int32_t> of_nodes(tree.size()), of_rows(n_rows, -1);
    for (std::size_t id = 0; id < tree.size(); ++id) of_nodes[id] = static_cast<std::int32_t>(id);
    const NodeEntries entries{reinterpret_cast<const std::uint8_t*>(of_nodes.data()),
                              reinterpret_cast<std::uint8_t*>(of_rows.data()),
                              sizeof(std::int32_t)};
    const Cancel cancel;
    router.look_up(columns, n_rows, entries, 1, cancel);
    for (std::size_t row = 0; row < n_rows; ++row) {
        if (of_rows[row] < 0 || static_cast<std::size_t>(of_rows[row]) >= tree.size()) std::abort();
        (void)router.answers(columns, row, Missing::weigh);
    }
    (void)router.weighed_rows(columns, n_rows, 1, cancel);
    const std::vector<double> flow(tree.size(), 0.5);
    (void)router.parts(columns, router.weighed_rows(columns, n_rows, 1, cancel), flow, cancel);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes{data, data + size};
    const Arrays arrays(bytes);
    const WholeTree tree = arrays.view();
    if (!first_broken(tree).rule.empty()) return 0;
    (void)first_broken_shown(tree);
    predict(tree);
    return 0;
}

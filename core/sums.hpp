// Sums in doubles: of a set of rows, and of all rows before each boundary of neighbouring cells, so
// that a compiler can work through them side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bough {

/// What a set of rows adds up to: the number of rows and their weight, and for each output a weight
/// for each class, or the sum of labels and a sum of moments of them.
struct Sums {
    double rows = 0;
    double weight = 0;
    std::vector<double> parts;

    explicit Sums(std::size_t n_parts = 0) : parts(n_parts) {}

    void clear() {
        rows = weight = 0;
        std::fill(parts.begin(), parts.end(), 0.0);
    }
};

/// How far the sums of a node's rows may be off.
struct Precision {
    bool labels_are_exact = true;   // on their grid, else off by half a unit at most
    bool weights_are_exact = true;  // on theirs, else off by a unit at most
    bool is_whole = true;    // sums of weights and labels are whole numbers that doubles hold
    double moments = 0;      // how far a sum of moments may be off
    double lightest = 1;     // the least weight of a row
    double weight_unit = 1;  // of their grid, in units of the table's

    [[nodiscard]] bool is_exact() const {
        return labels_are_exact && weights_are_exact && is_whole;
    }
    /// How far the weights of the node and of both sides of a cut may be off, taken together.
    [[nodiscard]] double of_weights(const Sums& node) const {
        return weights_are_exact ? 0 : 2 * node.rows;
    }
};

/// Sums of all rows before each boundary between cells: boundary b has cells 0 … b − 1 before it.
class RunningSums {
  public:
    /// Where rows are not weighted, their weight is their number.
    RunningSums(std::size_t n_parts, std::size_t most_cells, bool is_weighted)
        : n_parts_(n_parts),
          stride_(most_cells + 1),
          values_((n_parts + (is_weighted ? 2 : 1)) * stride_),
          weight_at_(is_weighted ? (n_parts + 1) * stride_ : 0) {}

    std::size_t n_cells = 0;

    [[nodiscard]] std::size_t room() const { return stride_ - 1; }
    [[nodiscard]] std::size_t n_parts() const { return n_parts_; }
    [[nodiscard]] std::size_t n_boundaries() const { return n_cells + 1; }
    [[nodiscard]] double* rows() { return values_.data(); }
    [[nodiscard]] const double* rows() const { return values_.data(); }
    [[nodiscard]] double* weight() { return values_.data() + weight_at_; }
    [[nodiscard]] const double* weight() const { return values_.data() + weight_at_; }
    [[nodiscard]] double* part(std::size_t i) { return values_.data() + (i + 1) * stride_; }
    [[nodiscard]] const double* part(std::size_t i) const {
        return values_.data() + (i + 1) * stride_;
    }

    /// Begin again with what lies before the first cell.
    void start(const Sums& before) {
        n_cells = 0;
        set(0, before);
    }
    void append(const Sums& cell) {
        const std::size_t c = n_cells++;
        rows()[c + 1] = rows()[c] + cell.rows;
        if (weight_at_ > 0) weight()[c + 1] = weight()[c] + cell.weight;
        for (std::size_t i = 0; i < n_parts_; ++i) part(i)[c + 1] = part(i)[c] + cell.parts[i];
    }
    /// Add a cell such that this lies before its end.
    void mark(const Sums& upto) { set(++n_cells, upto); }
    [[nodiscard]] bool is_empty(std::size_t cell) const { return rows()[cell] == rows()[cell + 1]; }
    [[nodiscard]] Sums before(std::size_t boundary) const {
        Sums sums(n_parts_);
        sums.rows = rows()[boundary];
        sums.weight = weight()[boundary];
        for (std::size_t i = 0; i < n_parts_; ++i) sums.parts[i] = part(i)[boundary];
        return sums;
    }

  private:
    void set(std::size_t boundary, const Sums& sums) {
        rows()[boundary] = sums.rows;
        weight()[boundary] = sums.weight;
        for (std::size_t i = 0; i < n_parts_; ++i) part(i)[boundary] = sums.parts[i];
    }

    std::size_t n_parts_;
    std::size_t stride_;
    std::vector<double> values_;
    std::size_t weight_at_;
};

}  // namespace bough

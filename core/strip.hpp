// Neighbouring cells of one column, as running sums that a compiler can work through side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bough {

/// What a set of rows adds up to, in doubles: the number of rows, and a number for each class, or
/// the sum of labels and the sum of their squares.
struct Sums {
    double rows = 0;
    std::vector<double> parts;
    double doubt = 0;  // how far sums of squares may be off

    explicit Sums(std::size_t n_parts = 0) : parts(n_parts) {}

    void clear() {
        rows = 0;
        std::fill(parts.begin(), parts.end(), 0.0);
    }
};

/// Sums of all rows before each boundary between cells: boundary b has cells 0 … b − 1 before it.
class Strip {
  public:
    Strip(std::size_t n_parts, std::size_t most_cells)
        : n_parts_(n_parts), stride_(most_cells + 1), values_((n_parts + 1) * stride_) {}

    std::size_t n_cells = 0;

    [[nodiscard]] std::size_t n_parts() const { return n_parts_; }
    [[nodiscard]] std::size_t n_boundaries() const { return n_cells + 1; }
    [[nodiscard]] double* rows() { return values_.data(); }
    [[nodiscard]] const double* rows() const { return values_.data(); }
    [[nodiscard]] double* part(std::size_t i) { return values_.data() + (i + 1) * stride_; }
    [[nodiscard]] const double* part(std::size_t i) const {
        return values_.data() + (i + 1) * stride_;
    }

    /// Begin again with what lies before the first cell.
    void start(const Sums& before) {
        n_cells = 0;
        rows()[0] = before.rows;
        for (std::size_t i = 0; i < n_parts_; ++i) part(i)[0] = before.parts[i];
    }
    [[nodiscard]] bool is_empty(std::size_t cell) const { return rows()[cell] == rows()[cell + 1]; }
    [[nodiscard]] Sums before(std::size_t boundary) const {
        Sums sums(n_parts_);
        sums.rows = rows()[boundary];
        for (std::size_t i = 0; i < n_parts_; ++i) sums.parts[i] = part(i)[boundary];
        return sums;
    }

  private:
    std::size_t n_parts_;
    std::size_t stride_;
    std::vector<double> values_;
};

}  // namespace bough

// Gains at the boundaries of a strip, and bounds on the gains of all cuts inside its cells: what
// every criterion must say, and what holds for any of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "criteria.hpp"
#include "finalist.hpp"
#include "statistic.hpp"
#include "strip.hpp"

// `Fast<Criterion>` is made for a node. Every criterion has the same functions, in units of gain ×
// node weight:
//
//     can_tell()                         whether doubles are any good here
//     tolerance()                        how near gains must be to be tied, how wrong they may be
//     gains(strip, moved, out)           out[b]: the gain of cutting at boundary b
//     bounds(strip, moved, gains, out)   out[c]: no cut inside cell c gains more
//     gain_of_all(answers)               the gain of a query with any number of answers
//     impurity(sums)                     how mixed rows are, × their weight
//
// and, where a second score decides between equal gains, `decide_ties(best)`: from then on the
// gains and bounds are those of the second score, of the cuts whose gain is tied with the best.
// `moved` is added to everything before a boundary: the missing rows, where they go first.
//
// A cut inside a cell leaves on its first side a tally between those of the cell's two ends, A ≤ L
// ≤ B in every part. The remainder is a concave function of L, so over that box it is least at a
// corner; for two classes the four corners are looked at, otherwise a linear function below the
// remainder is minimised over the box part by part. Superadditivity gives a bound for any impurity:
// what is before A and behind B stays as mixed as it is, and the cell itself becomes pure. A
// criterion that knows no better one uses `general_bounds`.

namespace bough {

template <class Criterion>
class Fast;

/// The bound that holds for any impurity, with room for rounding.
template <class Scores>
void general_bounds(const Scores& scores, const Strip& strip, const Sums& moved, double* out) {
    const Sums& node = scores.node();
    const double whole = scores.impurity(node);
    const double slack = 1e-9 * whole + 3 * scores.precision().squares;
    const auto impurity = [&](const Sums& of) { return of.weight > 0 ? scores.impurity(of) : 0; };
    Sums before(node.parts.size());
    Sums behind(node.parts.size());
    for (std::size_t c = 0; c < strip.n_cells; ++c) {
        before.weight = strip.weight()[c] + moved.weight;
        behind.weight = node.weight - strip.weight()[c + 1] - moved.weight;
        for (std::size_t k = 0; k < node.parts.size(); ++k) {
            before.parts[k] = strip.part(k)[c] + moved.parts[k];
            behind.parts[k] = node.parts[k] - strip.part(k)[c + 1] - moved.parts[k];
        }
        out[c] = whole - impurity(before) - impurity(behind) + slack;
    }
}

/// Bits that an answer of this weight adds to what the answers of a node say, × node weight; only
/// the gain ratio asks for them.
template <class Criterion>
double bits_said(double weight, double all) {
    if constexpr (std::is_same_v<Criterion, GainRatio>)
        return weight * std::log2(all / weight);
    else
        return 0;
}

/// A query of two answers, the first of this weight.
template <class Criterion>
Finalist two_way(std::size_t column, Kind kind, std::int32_t missing, double gain, double first,
                 double all) {
    Finalist found(column, kind, missing, gain);
    found.answer_bits = bits_said<Criterion>(first, all) + bits_said<Criterion>(all - first, all);
    return found;
}

}  // namespace bough

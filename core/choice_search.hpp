// Queries about choices and missing values from the sums of each value, for the fast search.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "cut_scan.hpp"
#include "finalist.hpp"
#include "fixed_point.hpp"
#include "query_limits.hpp"
#include "random_draws.hpp"
#include "statistic.hpp"
#include "threads.hpp"

namespace bough {

template <class Criterion, class Statistic>
class ChoiceSearch {
  public:
    using Scores = bough::Scores<Criterion>;

    ChoiceSearch(std::size_t n_parts, const Limits& limits, const Cancel& cancel)
        : limits_(limits),
          cancel_(cancel),
          running_(n_parts, 256, Statistic::is_weighted),
          nothing_(n_parts) {}

    void start() { n_present_ = 0; }
    /// Room for the sums of the next value. A value without rows is none.
    Sums& next(std::int32_t choice) {
        if (n_present_ == 0 || room_[n_present_ - 1].sums.rows > 0) ++n_present_;
        if (room_.size() < n_present_) room_.push_back({choice, nothing_});
        Present& present = room_[n_present_ - 1];
        present.choice = choice;
        present.sums.clear();
        return present.sums;
    }

    /// Offer every query about the values added since the start, or one of them by chance.
    void scan(const Scores& scores, const Sums& missing, std::size_t column, std::uint64_t chance,
              Shortlist& shortlist) {
        scores_ = &scores;
        missing_ = &missing;
        limits_.use_grid(scores.output(0).sums().precision);
        column_ = column;
        if (n_present_ > 0 && room_[n_present_ - 1].sums.rows == 0) --n_present_;
        present_ = std::span<const Present>(room_).first(n_present_);
        if (!limits_.groups(column_)) return scan_each(shortlist);
        const DrawnMissing drawn(chance);
        const bool asks_missing = present_.size() < 2 || drawn.is_asked;
        if (!limits_.draw_one || asks_missing) offer_missing(scores, missing, column, shortlist);
        if (limits_.draw_one && missing.rows > 0 && asks_missing) return;
        scan_groups(chance, shortlist);
    }

    /// Offer the query whether the value is missing.
    void offer_missing(const Scores& scores, const Sums& missing, std::size_t column,
                       Shortlist& shortlist) {
        const Sums& node = scores.node();
        limits_.use_grid(scores.output(0).sums().precision);
        if (missing.rows == 0 || !limits_.admit(missing.rows, missing.weight, node)) return;
        running_.start(nothing_);
        running_.append(missing);
        gains_.resize(std::max<std::size_t>(gains_.size(), 2));
        scores.gains(running_, nothing_, gains_.data());
        if (gains_[1] < shortlist.cutoff() || scores.bars(running_, 1, nothing_)) return;
        if (!limits_.surely_weigh(missing.rows, missing.weight, node)) shortlist.give_up();
        shortlist.offer(two_way(limits_, column, Kind::is_missing, 0,
                                scores.offered(running_, 1, nothing_, gains_[1]), missing.weight,
                                node.weight));
    }

  private:
    static constexpr std::int32_t any_answer = -2;
    static constexpr bool has_numbers = std::is_same_v<typename Criterion::Labels, NumberLabels>;
    struct Present {
        std::int32_t choice;
        Sums sums;
    };

    void scan_each(Shortlist& shortlist) {
        std::vector<const Sums*> answers;
        for (const auto& value : present_) answers.push_back(&value.sums);
        if (missing_->rows > 0) answers.push_back(missing_);
        const auto n_large = std::count_if(answers.begin(), answers.end(), [&](const Sums* sums) {
            return limits_.reach(sums->rows, sums->weight);
        });
        if (n_large < 2 || std::any_of(
                               answers.begin(), answers.end(),
                               [&](const Sums* sums) { return scores_->bars(*sums); }))
            return;
        const double gain = scores_->gain_of_all(answers);
        if (gain < shortlist.cutoff()) return;
        if (std::count_if(answers.begin(), answers.end(), [&](const Sums* sums) {
                return limits_.reach(sums->rows, sums->weight) &&
                       limits_.surely_weighs(sums->rows, sums->weight);
            }) < 2)
            shortlist.give_up();
        const auto last = static_cast<std::int32_t>(present_.size());
        Finalist found(column_, Kind::each_value, missing_->rows > 0 ? last : stop, gain);
        if (limits_.by_ratio)
            for (const Sums* sums : answers)
                found.answer_bits += bits_said(sums->weight, scores_->node().weight);
        for (const auto& value : present_) found.choices.push_back(value.choice);
        found.answers.resize(found.choices.size());
        std::iota(found.answers.begin(), found.answers.end(), 0);
        shortlist.offer(std::move(found));
    }

    void scan_groups(std::uint64_t chance, Shortlist& shortlist) {
        if (present_.size() < 2) return;
        if (running_.room() < present_.size())
            running_ =
                RunningSums(nothing_.parts.size(), 2 * present_.size(), Statistic::is_weighted);
        std::vector<std::size_t> order(present_.size());
        std::iota(order.begin(), order.end(), 0);
        std::vector<std::pair<std::size_t, std::size_t>> parts;  // to order by, with their output
        for (std::size_t output = 0; output < scores_->n_outputs(); ++output)
            for (const std::size_t part : ordering_parts(output)) parts.emplace_back(output, part);
        const std::size_t n_cuts = order.size() - 1;
        if (limits_.draw_one) {
            const std::size_t drawn = mixed(chance, 3) % (1 + parts.size() * n_cuts);
            if (drawn > 0) put_in_order(order, parts[(drawn - 1) / n_cuts], shortlist);
            const std::size_t cut = drawn > 0 ? (drawn - 1) % n_cuts + 1 : 1;
            return offer_groups(order, cut, cut, DrawnMissing(chance).answer, shortlist);
        }
        offer_groups(order, 1, 1, any_answer, shortlist);
        for (const auto& by : parts) {
            put_in_order(order, by, shortlist);
            offer_groups(order, 1, n_cuts, any_answer, shortlist);
        }
    }

    /// Sort the values by the mean of a part.
    void put_in_order(std::vector<std::size_t>& order,
                      const std::pair<std::size_t, std::size_t>& by, Shortlist& shortlist) {
        cancel_.check();
        ordered_ = &scores_->output(by.first).sums();
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return has_lower_mean(present_[a].sums, present_[b].sums, by.second);
        });
        if (!ordered_->precision.is_exact() && has_close_means(order, by.second))
            shortlist.give_up();
    }

    /// Exact: all are whole numbers.
    static bool has_lower_mean(const Sums& a, const Sums& b, std::size_t part) {
        const auto product = [](double x, double y) {
            return static_cast<Int128>(static_cast<std::int64_t>(x)) * static_cast<std::int64_t>(y);
        };
        return product(a.parts[part], b.weight) < product(b.parts[part], a.weight);
    }

    /// Whether labels and weights off by a unit of their grid could change the order.
    [[nodiscard]] bool has_close_means(const std::vector<std::size_t>& order,
                                       std::size_t part) const {
        for (std::size_t i = 1; i < order.size(); ++i) {
            const Sums& a = present_[order[i - 1]].sums;
            const Sums& b = present_[order[i]].sums;
            const double distance = b.parts[part] / b.weight - a.parts[part] / a.weight;
            if (distance < mean_error(a, part) + mean_error(b, part) &&
                !are_surely_equal(a, b, part))
                return true;
        }
        return false;
    }
    [[nodiscard]] double mean_error(const Sums& of, std::size_t part) const {
        const double mean = std::abs(of.parts[part]) / of.weight;
        // A product of label and weight that is rounded loses the last digits of a double, too.
        const double by_labels =
            of.rows / of.weight + 1e-15 * mean + 0x1p-50 * ordered_->most_label;
        if (ordered_->precision.weights_are_exact) return by_labels;
        if constexpr (has_numbers) {
            // Weights off by at most 1 move the mean by as much as the labels spread: |Σ δ y| ≤
            // √(rows · Σ y²) ≤ rows · the farthest label, and each weight is at least 1.
            if (of.rows <= 1) return by_labels;
            const double surely = of.weight - of.rows;
            if (surely <= 0) return std::numeric_limits<double>::infinity();
            const double spread = std::is_same_v<Criterion, Poisson>
                                      ? of.rows * ordered_->most_label
                                      : std::sqrt(of.rows * of.parts[part + 1]);
            return by_labels + spread / surely;
        } else {
            return by_labels + of.rows / of.weight * mean;
        }
    }
    /// Whether none or all of the rows of both values are of a class.
    static bool are_surely_equal(const Sums& a, const Sums& b, std::size_t part) {
        const auto is_all = [part](const Sums& of) { return of.parts[part] == of.weight; };
        return !has_numbers &&
               ((a.parts[part] == 0 && b.parts[part] == 0) || (is_all(a) && is_all(b)));
    }

    /// For two classes the later one's share, for more each one's, for numbers the mean.
    [[nodiscard]] std::vector<std::size_t> ordering_parts(std::size_t output) const {
        const OutputSums& sums = scores_->output(output).sums();
        if constexpr (has_numbers) {
            return {sums.first};
        } else {
            std::vector<std::size_t> classes;
            for (std::size_t k = 0; k < sums.count; ++k)
                if (sums.part(k) > 0) classes.push_back(sums.first + k);
            if (classes.size() == 2) classes.erase(classes.begin());
            return classes;
        }
    }

    /// One cell for each value. Sums that doubles do not hold are rounded once, however many.
    void fill_running(const std::vector<std::size_t>& order) {
        running_.start(nothing_);
        bool are_whole = true;
        for (std::size_t o = 0; o < scores_->n_outputs(); ++o)
            are_whole = are_whole && scores_->output(o).sums().precision.is_whole;
        if (are_whole) {
            for (const std::size_t i : order) running_.append(present_[i].sums);
            return;
        }
        Sums upto = nothing_;
        std::vector<Twofold> exact(upto.parts.size());
        for (const std::size_t i : order) {
            const Sums& value = present_[i].sums;
            upto.rows += value.rows;
            upto.weight += value.weight;
            for (std::size_t part = 0; part < exact.size(); ++part) {
                exact[part] += Twofold(value.parts[part]);
                upto.parts[part] = exact[part].high;
            }
            running_.mark(upto);
        }
    }

    /// Offer some cuts of an order of the values; missing rows give that answer.
    void offer_groups(const std::vector<std::size_t>& order, std::size_t from, std::size_t upto,
                      std::int32_t missing_answer, Shortlist& shortlist) {
        fill_running(order);
        gains_.resize(std::max(gains_.size(), running_.n_boundaries()));
        const auto first = static_cast<std::size_t>(
            std::find(order.begin(), order.end(), std::size_t{0}) - order.begin());
        for (const bool joins_front : {true, false}) {
            // Missing rows join the front part of the order, or the back.
            if (missing_->rows == 0 && joins_front) continue;
            const Sums& ahead = joins_front ? *missing_ : nothing_;
            scores_->gains(running_, ahead, gains_.data());
            const auto is_admitted = [&](std::size_t cut) {
                return limits_.admit(running_.rows()[cut] + ahead.rows,
                                     running_.weight()[cut] + ahead.weight, scores_->node()) &&
                       !scores_->bars(running_, cut, ahead);
            };
            // A query is as long as its values are many, so only the best are made.
            double best = shortlist.cutoff();
            for (std::size_t cut = from; cut <= upto; ++cut)
                if (gains_[cut] > best && is_admitted(cut)) best = gains_[cut];
            const double least = shortlist.cutoff_beside(best);
            for (std::size_t cut = from; cut <= upto; ++cut) {
                if (gains_[cut] < least || !is_admitted(cut)) continue;
                const double gain = scores_->offered(running_, cut, ahead, gains_[cut]);
                const double weight = running_.weight()[cut] + ahead.weight;
                const std::int32_t side = missing_->rows == 0            ? stop
                                          : joins_front == (first < cut) ? 0
                                                                         : 1;
                if (missing_answer != any_answer && side != stop && side != missing_answer)
                    continue;
                if (!limits_.surely_weigh(running_.rows()[cut] + ahead.rows, weight,
                                          scores_->node()))
                    shortlist.give_up();
                Finalist found = two_way(limits_, column_, Kind::one_of, side, gain, weight,
                                         scores_->node().weight);
                group(found, present_.size(), std::span(order).first(cut),
                      [&](std::size_t i) { return present_[i].choice; });
                shortlist.offer(std::move(found));
            }
        }
    }

    Limits limits_;
    const Cancel& cancel_;
    const Scores* scores_ = nullptr;
    const OutputSums* ordered_ = nullptr;  // of the output by which values are in order
    const Sums* missing_ = nullptr;
    std::size_t column_ = 0;
    RunningSums running_;
    Sums nothing_;
    std::vector<double> gains_;
    std::vector<Present> room_;
    std::size_t n_present_ = 0;
    std::span<const Present> present_;
};

}  // namespace bough

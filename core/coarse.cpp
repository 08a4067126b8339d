// Coarse codes of compared columns: where a value lies, in two bytes.
#include "coarse.hpp"

#include <algorithm>
#include <cmath>

namespace bough {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

void sort_floats(std::vector<float>& values) {
    std::vector<Keyed<std::uint32_t>> keyed(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        keyed[i] = {bit_key(values[i]), std::bit_cast<std::uint32_t>(values[i])};
    sort_by_key(keyed, std::numeric_limits<std::uint32_t>::max(), Cancel{});
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::bit_cast<float>(keyed[i].row);
}

}  // namespace

BinMap::BinMap(std::vector<float> sample) {
    edges_.fill(infinity);
    sort_floats(sample);
    if (!sample.empty()) place_edges(sample);
    make_cells();
}

void BinMap::place_edges(const std::vector<float>& sorted) {
    constexpr std::size_t most = n_bins - 1;  // bins of known values
    std::size_t n_distinct = 1;
    for (std::size_t i = 1; i < sorted.size(); ++i)
        n_distinct += sorted[i] != sorted[i - 1] ? 1 : 0;
    has_twins_ = n_distinct < sorted.size();
    if (n_distinct <= most) {
        for (std::size_t i = 0; i + 1 < sorted.size(); ++i)
            if (sorted[i] != sorted[i + 1]) edges_[n_edges_++] = sorted[i];
    } else {
        place_edges_by_depth(sorted);
    }
    for (std::size_t bin = 0; bin <= n_edges_; ++bin) {
        const float low = bin == 0 ? sorted.front() : edges_[bin - 1];
        const float high = bin < n_edges_ ? edges_[bin] : sorted.back();
        const float scale = static_cast<float>(n_steps) / (high - low);
        bin_first_[bin] = low;
        steps_per_unit_[bin] = high > low && std::isfinite(scale) ? scale : 0;
    }
}

/// Bins of about equal numbers of rows; a value with as many rows as a bin gets one of its own.
void BinMap::place_edges_by_depth(const std::vector<float>& sorted) {
    constexpr std::size_t most = n_bins - 2;  // edges
    constexpr std::size_t few = 8;
    std::size_t in_bin = 0;
    std::size_t left = sorted.size();
    for (std::size_t i = 0; i < sorted.size() && n_edges_ < most;) {
        std::size_t end = i;
        while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
        const std::size_t count = end - i;
        const std::size_t target = (left + in_bin) / (most + 1 - n_edges_);
        const bool is_heavy = count > few && count >= target;
        if (is_heavy && in_bin > 0) {
            edges_[n_edges_++] = sorted[i - 1];
            in_bin = 0;
        }
        in_bin += count;
        left -= count;
        if (in_bin >= target && end < sorted.size() && n_edges_ < most) {
            edges_[n_edges_++] = sorted[i];
            in_bin = 0;
        }
        i = end;
    }
}

// The cells are found tile by tile, from copies of what they need, so that the compiler can work
// on several values side by side.
template <std::size_t Count>
void BinMap::find_cells(const std::array<float, Count>& values,
                        std::array<std::int32_t, Count>& cells) const {
    constexpr auto last = static_cast<std::int32_t>(n_cells - 1);
    if (by_bits_) {
        const std::uint32_t first = first_key_;
        const int shift = key_shift_;
        for (std::size_t i = 0; i < Count; ++i) {
            const std::uint32_t key = bit_key(values[i]);
            const auto place = static_cast<std::int32_t>((key - first) >> shift) + 1;
            cells[i] = key < first ? 0 : place < last ? place : last;
        }
        return;
    }
    const float first = first_;
    const float scale = cells_per_unit_;
    for (std::size_t i = 0; i < Count; ++i) {
        float place = (values[i] - first) * scale + 1;
        place = place > 0 ? place : 0;
        place = place < static_cast<float>(last) ? place : static_cast<float>(last);
        cells[i] = static_cast<std::int32_t>(place);
    }
}

std::size_t BinMap::cell(float value) const {
    std::array<std::int32_t, 1> found{};
    find_cells(std::array<float, 1>{value}, found);
    return static_cast<std::size_t>(found[0]);
}

std::size_t BinMap::count_edges_in_cells() {
    std::array<std::size_t, n_cells> count{};
    for (std::size_t i = 0; i < n_edges_; ++i) ++count[cell(edges_[i])];
    std::size_t below = 0;
    for (std::size_t i = 0; i < n_cells; ++i) {
        start_[i] = static_cast<std::uint8_t>(below);
        below += count[i];
    }
    return *std::max_element(count.begin(), count.end());
}

void BinMap::make_cells() {
    constexpr auto inner = static_cast<float>(n_cells - 3);
    constexpr std::size_t enough = 2;
    if (n_edges_ == 0) {
        n_compares_ = 0;
        return;
    }
    first_ = edges_[0];
    const float scale = inner / (edges_[n_edges_ - 1] - first_);
    cells_per_unit_ = std::isfinite(scale) ? scale : 0;
    n_compares_ = count_edges_in_cells();
    if (n_compares_ > enough) make_cells_by_bits();
}

void BinMap::make_cells_by_bits() {
    const std::size_t by_value = n_compares_;
    by_bits_ = true;
    first_key_ = bit_key(first_);
    const std::uint32_t width = bit_key(edges_[n_edges_ - 1]) - first_key_;
    while ((width >> key_shift_) > n_cells - 3) ++key_shift_;
    n_compares_ = count_edges_in_cells();
    if (n_compares_ < by_value) return;
    by_bits_ = false;
    n_compares_ = count_edges_in_cells();
}

void BinMap::find_bins(const std::array<float, tile>& values,
                       std::array<std::int32_t, tile>& below) const {
    constexpr std::size_t few = 4;
    if (n_compares_ > few) {
        for (std::size_t i = 0; i < tile; ++i)
            below[i] = static_cast<std::int32_t>(
                std::lower_bound(edges_.begin(), edges_.begin() + n_edges_, values[i]) -
                edges_.begin());
        return;
    }
    find_cells(values, below);
    const std::uint8_t* start = start_.data();
    const float* edges = edges_.data();
    for (std::size_t i = 0; i < tile; ++i) below[i] = start[below[i]];
    for (std::size_t step = 0; step < n_compares_; ++step)
        for (std::size_t i = 0; i < tile; ++i) below[i] += edges[below[i]] < values[i] ? 1 : 0;
}

void BinMap::encode(const std::array<float, tile>& values, std::uint8_t* bins,
                    std::uint8_t* steps) const {
    constexpr auto last = static_cast<float>(n_steps - 1);
    std::array<std::int32_t, tile> below;
    std::array<std::int32_t, tile> step;
    find_bins(values, below);
    const float* first = bin_first_.data();
    const float* scale = steps_per_unit_.data();
    for (std::size_t i = 0; i < tile; ++i) {
        float place = (values[i] - first[below[i]]) * scale[below[i]];
        place = place > 0 ? place : 0;
        step[i] = static_cast<std::int32_t>(place < last ? place : last);
    }
    for (std::size_t i = 0; i < tile; ++i) steps[i] = static_cast<std::uint8_t>(step[i]);
    for (std::size_t i = 0; i < tile; ++i)
        bins[i] = static_cast<std::uint8_t>(values[i] == values[i] ? below[i] + 1 : 0);
}

namespace {

/// Whether the values of each bin, as far as one thread has seen them, are all equal.
struct Singles {
    std::array<std::uint8_t, n_bins> seen{};
    std::array<std::uint8_t, n_bins> mixed{};
    std::array<double, n_bins> first{};

    void look(std::uint8_t bin, double value) {
        if (seen[bin] == 0) {
            seen[bin] = 1;
            first[bin] = value;
        } else if (first[bin] != value) {
            mixed[bin] = 1;
        }
    }
    void merge(const Singles& other) {
        for (std::size_t bin = 0; bin < n_bins; ++bin) {
            if (other.seen[bin] != 0) look(static_cast<std::uint8_t>(bin), other.first[bin]);
            mixed[bin] |= other.mixed[bin];
        }
    }
};

/// Rows for a sample, one from each of equally long stretches, by a fixed rule.
std::vector<Row> sampled_rows(std::size_t n_rows, std::size_t n_columns) {
    constexpr std::size_t many_columns = 200;
    const std::size_t count =
        std::min<std::size_t>(n_rows, n_columns > many_columns ? 4096 : 16384);
    std::vector<Row> rows(count);
    std::uint64_t state = 88172645463325252U;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t begin = i * n_rows / count;
        const std::size_t end = (i + 1) * n_rows / count;
        state = state * 6364136223846793005U + 1442695040888963407U;
        rows[i] = static_cast<Row>(begin + (state >> 33) % (end - begin));
    }
    return rows;
}

/// Whether doubles hold every value of the type.
template <class Value>
constexpr bool fits_double = !std::is_same_v<Value, std::int64_t>;

}  // namespace

void CoarseTable::sample_edges(std::span<const RawColumn> raw, Threads& threads) {
    const std::vector<Row> rows = sampled_rows(n_rows_, raw.size());
    maps_.assign(raw.size(), BinMap({}));
    threads.parallel_for(raw.size(), [&](std::size_t i) {
        if (raw[i].is_choice) return;
        std::vector<float> sample;
        sample.reserve(rows.size());
        std::visit(
            [&](const auto& values) {
                for (const Row row : rows) {
                    const float value = as_float(values[row]);
                    if (value == value) sample.push_back(value);
                }
            },
            raw[i].values);
        maps_[i] = BinMap(std::move(sample));
    });
}

CoarseTable::CoarseTable(std::span<const RawColumn> raw, std::size_t n_rows, Threads& threads,
                         const Cancel& cancel)
    : n_rows_(n_rows), columns_(raw.size()) {
    constexpr std::size_t chunk = 128 * BinMap::tile;
    sample_edges(raw, threads);
    // Padded to whole tiles, and so that columns do not all start at the same place in the cache.
    const std::size_t stride = (n_rows + BinMap::tile - 1) / BinMap::tile * BinMap::tile + 192;
    codes_ = std::make_unique_for_overwrite<std::uint8_t[]>(2 * stride * raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
        columns_[i].is_choice = raw[i].is_choice;
        columns_[i].bins = codes_.get() + 2 * i * stride;
        columns_[i].steps = columns_[i].bins + stride;
        columns_[i].has_many_choices = has_many_choices(raw[i]);
        columns_[i].n_used = columns_[i].has_many_choices ? 2
                             : raw[i].is_choice           ? raw[i].n_choices + 1
                                                          : maps_[i].n_used();
    }
    std::mutex merging;
    std::vector<Singles> singles(raw.size());
    const std::size_t n_chunks = (n_rows + chunk - 1) / chunk;
    const std::size_t n_tasks = std::min(n_chunks, threads.count());
    threads.parallel_for(n_tasks, [&](std::size_t task) {
        std::vector<Singles> mine(raw.size());
        std::array<float, BinMap::tile> values{};
        for (std::size_t part = task; part < n_chunks; part += n_tasks) {
            cancel.check();
            const std::size_t last = std::min(n_rows, (part + 1) * chunk);
            for (std::size_t row = part * chunk; row < last; row += BinMap::tile) {
                const std::size_t count = std::min(BinMap::tile, last - row);
                for (std::size_t i = 0; i < raw.size(); ++i) {
                    std::uint8_t* column = codes_.get() + 2 * i * stride + row;
                    std::visit(
                        [&](const auto& source) {
                            if (raw[i].is_choice) {
                                const std::int32_t most = columns_[i].has_many_choices ? 0 : n_bins;
                                for (std::size_t k = 0; k < count; ++k)
                                    column[k] = static_cast<std::uint8_t>(
                                        std::min(static_cast<std::int32_t>(source[row + k]), most) +
                                        1);
                                return;
                            }
                            for (std::size_t k = 0; k < count; ++k)
                                values[k] = as_float(source[row + k]);
                            maps_[i].encode(values, column, column + stride);
                            using Value = std::decay_t<decltype(source[0])>;
                            if (fits_double<Value> && maps_[i].has_twins())
                                for (std::size_t k = 0; k < count; ++k)
                                    mine[i].look(column[k], static_cast<double>(source[row + k]));
                        },
                        raw[i].values);
                }
            }
        }
        const std::scoped_lock lock(merging);
        for (std::size_t i = 0; i < raw.size(); ++i) singles[i].merge(mine[i]);
    });
    for (std::size_t i = 0; i < raw.size(); ++i)
        for (std::size_t bin = 0; bin < n_bins; ++bin)
            columns_[i].is_single[bin] =
                raw[i].is_choice || (maps_[i].has_twins() && singles[i].mixed[bin] == 0 &&
                                     singles[i].seen[bin] != 0)
                    ? 1
                    : 0;
}

}  // namespace bough

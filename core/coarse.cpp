// The columns of a table in coarse codes.
#include "coarse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

namespace bough {
namespace {

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

template <class Value>
std::vector<float> sorted_sample(const Strided<Value>& values, std::span<const Row> rows) {
    std::vector<Keyed<std::uint32_t>> keyed;
    keyed.reserve(rows.size());
    for (const Row row : rows) {
        const float value = as_float(values[row]);
        if (value == value) keyed.push_back({bit_key(value), std::bit_cast<std::uint32_t>(value)});
    }
    sort_by_key(keyed, std::numeric_limits<std::uint32_t>::max(), Cancel{});
    std::vector<float> sorted;
    sorted.reserve(keyed.size());
    for (const auto& item : keyed) sorted.push_back(std::bit_cast<float>(item.row));
    return sorted;
}

CodeMap map_for(std::span<const float> sorted) {
    constexpr std::size_t often = 8;
    std::size_t n_distinct = sorted.empty() ? 0 : 1;
    std::size_t longest = n_distinct;
    std::size_t run = 1;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        run = sorted[i] == sorted[i - 1] ? run + 1 : 1;
        n_distinct += run == 1 ? 1 : 0;
        longest = std::max(longest, run);
    }
    if (n_distinct < n_bins || longest > often) return EdgeMap(sorted);
    return CurveMap(sorted);
}

/// Whether a number is infinite, or too large for a float.
bool any_infinite(const Tile& floats) {
    int found = 0;
    for (const float value : floats) found |= std::isinf(value) ? 1 : 0;
    return found != 0;
}

/// Whether doubles hold every value of the type.
template <class Value>
constexpr bool fits_double = !std::is_same_v<Value, Whole>;

}  // namespace

/// Whether the values of each bin are all equal, as far as one thread has seen them.
struct CoarseTable::Singles {
    std::array<double, n_bins> value{};
    std::array<std::uint8_t, n_bins> is_mixed{};

    /// Note a value of each bin, from the sample, to compare all others with.
    template <class Value>
    void expect(const EdgeMap& map, const Strided<Value>& values, std::span<const Row> sample) {
        is_mixed.fill(1);
        for (std::size_t begin = 0; begin < sample.size(); begin += tile_size) {
            Tile floats{};
            std::array<std::uint8_t, tile_size> bins;
            std::array<std::uint8_t, tile_size> steps;
            const auto rows = sample.subspan(begin, std::min(tile_size, sample.size() - begin));
            for (std::size_t k = 0; k < rows.size(); ++k) floats[k] = as_float(values[rows[k]]);
            map.encode(floats, bins.data(), steps.data());
            for (std::size_t k = 0; k < rows.size(); ++k) {
                value[bins[k]] = static_cast<double>(values[rows[k]]);
                is_mixed[bins[k]] = fits_double<Value> ? 0 : 1;
            }
        }
    }
    void look(std::uint8_t bin, double seen) {
        if (seen != value[bin]) is_mixed[bin] = 1;
    }
    void merge(const Singles& other) {
        for (std::size_t bin = 0; bin < n_bins; ++bin) is_mixed[bin] |= other.is_mixed[bin];
    }
};

void CoarseTable::make_maps(std::span<const RawColumn> raw, std::span<const Row> sample,
                            Threads& threads) {
    maps_.resize(raw.size());
    threads.parallel_for(raw.size(), [&](std::size_t i) {
        if (raw[i].is_choice) return;
        maps_[i] =
            std::visit([&](const auto& values) { return map_for(sorted_sample(values, sample)); },
                       raw[i].values);
    });
}

void CoarseTable::encode_tile(const RawColumn& raw, std::size_t column, std::size_t row,
                              Singles& singles) {
    std::uint8_t* bins = codes_.get() + places_[column] + row;
    const std::size_t count = std::min(tile_size, n_rows_ - row);
    const auto encode = [&](const auto& values) {
        if (raw.is_choice) {
            const std::int32_t most = has_many_choices(raw) ? 0 : n_bins - 2;  // −1 is missing
            for (std::size_t k = 0; k < count; ++k)
                bins[k] = static_cast<std::uint8_t>(
                    std::min(static_cast<std::int32_t>(values[row + k]), most) + 1);
            return;
        }
        Tile floats;
        const auto* value = values.first + static_cast<std::int64_t>(row) * values.stride;
        for (std::size_t k = 0; k < count; ++k, value += values.stride)
            floats[k] = as_float(*value);
        for (std::size_t k = count; k < tile_size; ++k) floats[k] = 0;
        if (any_infinite(floats))
            for (std::size_t k = 0; k < count; ++k)
                if (std::isinf(static_cast<double>(values[row + k]))) throw InfiniteNumber{};
        if (const auto* curve = std::get_if<CurveMap>(&maps_[column]))
            return curve->encode(floats, bins, bins + stride_);
        std::get<EdgeMap>(maps_[column]).encode(floats, bins, bins + stride_);
        for (std::size_t k = 0; k < count; ++k)
            singles.look(bins[k], static_cast<double>(values[row + k]));
    };
    std::visit(encode, raw.values);
}

CoarseTable::CoarseTable(std::span<const RawColumn> raw, std::size_t n_rows, Threads& threads,
                         const Cancel& cancel)
    : n_rows_(n_rows),
      // Padded to whole tiles, and so that columns do not all start at the same place in the cache.
      stride_((n_rows + tile_size - 1) / tile_size * tile_size + 192),
      columns_(raw.size()) {
    std::size_t end_of_codes = 0;
    for (const RawColumn& column : raw) {
        places_.push_back(end_of_codes);
        end_of_codes += (column.is_choice ? 1 : 2) * stride_;
    }
    codes_ = make_pages(end_of_codes);
    constexpr std::size_t chunk = 64 * tile_size;
    const std::vector<Row> sample = sampled_rows(n_rows, raw.size());
    make_maps(raw, sample, threads);
    std::vector<Singles> singles(raw.size());
    threads.parallel_for(raw.size(), [&](std::size_t i) {
        if (const auto* map = std::get_if<EdgeMap>(&maps_[i]))
            std::visit([&](const auto& values) { singles[i].expect(*map, values, sample); },
                       raw[i].values);
    });
    std::mutex merging;
    std::vector<Singles> found = singles;
    const std::size_t n_chunks = (n_rows + chunk - 1) / chunk;
    const std::size_t n_tasks = std::min(n_chunks, threads.count());
    threads.parallel_for(n_tasks, [&](std::size_t task) {
        std::vector<Singles> mine = singles;
        for (std::size_t part = task; part < n_chunks; part += n_tasks) {
            cancel.check();
            const std::size_t end = std::min(n_rows, (part + 1) * chunk);
            for (std::size_t row = part * chunk; row < end; row += tile_size)
                for (std::size_t i = 0; i < raw.size(); ++i) encode_tile(raw[i], i, row, mine[i]);
        }
        const std::scoped_lock lock(merging);
        for (std::size_t i = 0; i < raw.size(); ++i) found[i].merge(mine[i]);
    });
    for (std::size_t i = 0; i < raw.size(); ++i) {
        columns_[i].is_choice = raw[i].is_choice;
        columns_[i].bins = codes_.get() + places_[i];
        if (!raw[i].is_choice) columns_[i].steps = columns_[i].bins + stride_;
        columns_[i].has_many_choices = has_many_choices(raw[i]);
        columns_[i].n_used = has_many_choices(raw[i]) ? 2 : raw[i].n_choices + 1;
        const bool is_curve = std::holds_alternative<CurveMap>(maps_[i]);
        if (is_curve) columns_[i].n_used = CurveMap::n_used();
        if (const auto* map = std::get_if<EdgeMap>(&maps_[i])) columns_[i].n_used = map->n_used();
        for (std::size_t bin = 0; bin < n_bins; ++bin)
            columns_[i].is_single[bin] = is_curve || found[i].is_mixed[bin] != 0 ? 0 : 1;
    }
}

}  // namespace bough

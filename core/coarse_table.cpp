// The columns of a table in coarse codes.
#include "coarse_table.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "coarse_maps.hpp"

namespace bough {
namespace {

/// Whether the values of each bin of a column are not all equal, as far as they were seen.
using Mixed = std::array<std::uint8_t, n_bins>;
using Bytes = std::array<std::uint8_t, tile_size>;

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

/// What tells the values of a type apart: doubles hold all but the longest integers.
template <class Value>
using Exact = std::conditional_t<std::is_same_v<Value, Whole>, std::int64_t, double>;

/// Some values of a column.
struct Sample {
    std::vector<float> floats;
    std::vector<std::uint64_t> bits;  // of the exact values

    void take(const RawColumn& raw, std::span<const Row> rows) {
        std::visit(
            [&]<class Value>(const Strided<Value>& values) {
                for (const Row row : rows) {
                    const Value value = values[row];
                    floats.push_back(as_float(value));
                    bits.push_back(std::bit_cast<std::uint64_t>(static_cast<Exact<Value>>(value)));
                }
            },
            raw.values);
    }

    /// The known values in order.
    [[nodiscard]] std::vector<float> sorted() const {
        std::vector<Keyed<std::uint32_t>> keyed;
        keyed.reserve(floats.size());
        for (const float value : floats)
            if (value == value)
                keyed.push_back({bit_key(value), std::bit_cast<std::uint32_t>(value)});
        sort_by_key(keyed, std::numeric_limits<std::uint32_t>::max(), Cancel{});
        std::vector<float> in_order;
        in_order.reserve(keyed.size());
        for (const auto& item : keyed) in_order.push_back(std::bit_cast<float>(item.row));
        return in_order;
    }
};

/// Whether a number is missing, infinite, or too large for a float.
bool any_not_finite(const Tile& floats) {
    constexpr std::int32_t largest = 0x7f7fffff;
    std::int32_t found = 0;
    for (const float value : floats)
        found |= (std::bit_cast<std::int32_t>(value) & 0x7fffffff) > largest ? 1 : 0;
    return found != 0;
}

/// Put missing values into bin 0.
void set_missing(const Tile& floats, std::uint8_t* bins, std::uint8_t* steps) {
    Integers known;
    for (std::size_t i = 0; i < tile_size; ++i) known[i] = floats[i] == floats[i] ? -1 : 0;
    for (std::size_t i = 0; i < tile_size; ++i) bins[i] &= static_cast<std::uint8_t>(known[i]);
    for (std::size_t i = 0; i < tile_size; ++i) steps[i] &= static_cast<std::uint8_t>(known[i]);
}

}  // namespace

/// How a column is encoded, and what is expected in its bins.
struct CoarseTable::Encoder {
    RawColumn raw;
    std::size_t n_rows = 0;
    std::uint8_t* bins = nullptr;
    std::uint8_t* steps = nullptr;
    ValueMap map{};
    bool may_be_single = false;                    // any bin
    std::array<std::uint64_t, n_bins> expected{};  // the bits of a value of each bin

    /// Make the map, and expect in each bin what the sample has there.
    void make(const Sample& sample, CoarseColumn& column) {
        map = map_for(sample.sorted());
        const auto* edges = std::get_if<EdgeMap>(&map);
        if (edges == nullptr) return;
        may_be_single = true;
        column.n_used = edges->n_used();
        for (std::size_t begin = 0; begin < sample.floats.size(); begin += tile_size) {
            const std::size_t count = std::min(tile_size, sample.floats.size() - begin);
            Tile floats{};
            Bytes bins_found;
            Bytes steps_found;
            std::copy_n(sample.floats.data() + begin, count, floats.data());
            edges->encode(floats, bins_found.data(), steps_found.data());
            set_missing(floats, bins_found.data(), steps_found.data());
            for (std::size_t k = 0; k < count; ++k) {
                expected[bins_found[k]] = sample.bits[begin + k];
                column.is_single[bins_found[k]] = 1;
            }
        }
    }

    /// The codes of some values.
    void find(const Tile& floats, std::uint8_t* found_bins, std::uint8_t* found_steps) const {
        if (const auto* curve = std::get_if<CurveMap>(&map))
            curve->encode(floats, found_bins, found_steps);
        else
            std::get<EdgeMap>(map).encode(floats, found_bins, found_steps);
    }

    /// Encode the tile that begins at a row, and note which bins hold other values than expected.
    void encode(std::size_t row, Mixed& mixed) const {
        const std::size_t count = std::min(tile_size, n_rows - row);
        std::visit(
            [&](const auto& values) {
                if (raw.is_choice) return encode_choices(values, row, count);
                encode_values(values, row, count);
                if (may_be_single) look(values, row, count, mixed);
            },
            raw.values);
    }

  private:
    template <class Value>
    void encode_choices(const Strided<Value>& values, std::size_t row, std::size_t count) const {
        const std::int32_t most = has_many_choices(raw) ? 0 : n_bins - 2;  // −1 is missing
        for (std::size_t k = row; k < row + count; ++k)
            bins[k] =
                static_cast<std::uint8_t>(std::min(static_cast<std::int32_t>(values[k]), most) + 1);
    }

    template <class Value>
    void encode_values(const Strided<Value>& values, std::size_t row, std::size_t count) const {
        Tile floats;
        const Value* value = values.first + static_cast<std::int64_t>(row) * values.stride;
        // Processors foresee no strides beyond a page.
        const bool fetches_next = values.stride != 1 && row + 2 * tile_size <= n_rows;
        for (std::size_t k = 0; k < count; ++k, value += values.stride) {
            floats[k] = as_float(*value);
            if (fetches_next)
                __builtin_prefetch(value + static_cast<std::int64_t>(tile_size) * values.stride);
        }
        for (std::size_t k = count; k < tile_size; ++k) floats[k] = 0;
        find(floats, bins + row, steps + row);
        if (!any_not_finite(floats)) return;
        for (std::size_t k = 0; k < count; ++k)
            if (std::isinf(floats[k]) && std::isinf(static_cast<double>(values[row + k])))
                throw InfiniteNumber{};
        set_missing(floats, bins + row, steps + row);
    }

    // Bin 0 stands for none, so that no branch is needed.
    template <class Value>
    void look(const Strided<Value>& values, std::size_t row, std::size_t count,
              Mixed& mixed) const {
        const Value* value = values.first + static_cast<std::int64_t>(row) * values.stride;
        for (std::size_t k = 0; k < count; ++k, value += values.stride) {
            const std::uint8_t bin = bins[row + k];
            const bool is_other =
                static_cast<Exact<Value>>(*value) != std::bit_cast<Exact<Value>>(expected[bin]);
            mixed[bin & (0U - static_cast<unsigned>(is_other))] = 1;
        }
    }
};

std::uint16_t CoarseTable::code_of(std::size_t column, float value) const {
    Tile floats{};
    floats[0] = value;
    Bytes bins;
    Bytes steps;
    (*encoders_)[column].find(floats, bins.data(), steps.data());
    return static_cast<std::uint16_t>(bins[0] << 8 | steps[0]);
}

CoarseTable::CoarseTable(std::span<const RawColumn> raw, std::size_t n_rows, Threads& threads,
                         const Cancel& cancel) {
    // Padded to whole tiles, and so that columns do not all start at the same place in the cache.
    const std::size_t stride = (n_rows + tile_size - 1) / tile_size * tile_size + 192;
    std::size_t n_bytes = 0;
    for (const RawColumn& column : raw) n_bytes += (column.is_choice ? 1 : 2) * stride;
    codes_ = std::make_unique_for_overwrite<std::uint8_t[]>(n_bytes);
    std::uint8_t* next = codes_.get();
    encoders_ = std::make_shared<std::vector<Encoder>>();
    for (const RawColumn& column : raw) {
        Encoder& encoder = encoders_->emplace_back(column, n_rows);
        encoder.bins = std::exchange(next, next + stride);
        if (!column.is_choice) encoder.steps = std::exchange(next, next + stride);
        CoarseColumn& coarse = columns_.emplace_back();
        coarse.is_choice = column.is_choice;
        coarse.has_many_choices = has_many_choices(column);
        coarse.bins = encoder.bins;
        coarse.steps = encoder.steps;
        if (!column.is_choice) continue;
        coarse.is_single.fill(1);
        coarse.n_used = has_many_choices(column) ? 2 : column.n_choices + 1;
    }
    make_maps(n_rows, threads);
    encode(n_rows, threads, cancel);
}

void CoarseTable::make_maps(std::size_t n_rows, Threads& threads) {
    const std::span<Encoder> encoders(*encoders_);
    constexpr std::size_t n_together = 8;  // columns whose values may share a line of the cache
    const std::vector<Row> rows = sampled_rows(n_rows, encoders.size());
    const std::size_t n_groups = (encoders.size() + n_together - 1) / n_together;
    threads.parallel_for(n_groups, [&](std::size_t group) {
        const std::size_t first = group * n_together;
        const auto part = encoders.subspan(first, std::min(n_together, encoders.size() - first));
        std::vector<Sample> samples(part.size());
        for (std::size_t begin = 0; begin < rows.size(); begin += tile_size)
            for (std::size_t i = 0; i < part.size(); ++i)
                samples[i].take(part[i].raw, std::span(rows).subspan(
                                                 begin, std::min(tile_size, rows.size() - begin)));
        for (std::size_t i = 0; i < part.size(); ++i)
            if (!part[i].raw.is_choice) part[i].make(samples[i], columns_[first + i]);
    });
}

void CoarseTable::encode(std::size_t n_rows, Threads& threads, const Cancel& cancel) {
    const std::span<const Encoder> encoders(*encoders_);
    constexpr std::size_t n_cached = 1 << 18;  // codes that a cache holds
    const std::size_t chunk = std::max<std::size_t>(
        n_cached / std::max<std::size_t>(encoders.size(), 1) / tile_size * tile_size, tile_size);
    std::atomic<std::size_t> next{0};
    std::mutex merging;
    threads.parallel_for(threads.count(), [&](std::size_t /*thread*/) {
        std::vector<Mixed> mixed(encoders.size());
        for (std::size_t begin = next.fetch_add(chunk); begin < n_rows;
             begin = next.fetch_add(chunk)) {
            cancel.check();
            const std::size_t end = std::min(n_rows, begin + chunk);
            for (std::size_t row = begin; row < end; row += tile_size)
                for (std::size_t i = 0; i < encoders.size(); ++i) encoders[i].encode(row, mixed[i]);
        }
        const std::scoped_lock lock(merging);
        for (std::size_t i = 0; i < encoders.size(); ++i)
            for (std::size_t bin = 0; bin < n_bins; ++bin)
                if (mixed[i][bin] != 0) columns_[i].is_single[bin] = 0;
    });
}

}  // namespace bough

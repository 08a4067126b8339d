// Integers of many bits: sums of labels and weights that no order of additions can change. And
// doubles as such integers, on a grid of a power of two that is fine enough never to show.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "threads.hpp"
#include "twofold.hpp"

namespace bough {

__extension__ using Int128 = __int128;
__extension__ using Unsigned128 = unsigned __int128;

/// A signed integer of 64 × Limbs bits, two's complement, the lowest limb first.
template <std::size_t Limbs>
class Wide {
  public:
    Wide() = default;

    // Implicit, as a built-in integer widens.
    Wide(Int128 value) {  // NOLINT(google-explicit-constructor)
        limbs_.fill(value < 0 ? ~std::uint64_t{0} : 0);
        limbs_[0] = static_cast<std::uint64_t>(value);
        if constexpr (Limbs > 1) limbs_[1] = static_cast<std::uint64_t>(value >> 64);
    }

    template <std::size_t Fewer>
        requires(Fewer < Limbs)
    Wide(const Wide<Fewer>& value) {  // NOLINT(google-explicit-constructor)
        limbs_.fill(value.is_negative() ? ~std::uint64_t{0} : 0);
        for (std::size_t i = 0; i < Fewer; ++i) limbs_[i] = value.limb(i);
    }

    /// The integer of some limbs, the lowest first; the sign of the last one goes on.
    static Wide of(const std::uint64_t* limbs, std::size_t count) {
        Wide value(static_cast<std::int64_t>(limbs[count - 1]) < 0 ? Int128{-1} : Int128{0});
        for (std::size_t i = 0; i < count && i < Limbs; ++i) value.limbs_[i] = limbs[i];
        return value;
    }

    [[nodiscard]] std::uint64_t limb(std::size_t i) const { return limbs_[i]; }
    [[nodiscard]] bool is_zero() const {
        std::uint64_t any = 0;
        for (const std::uint64_t limb : limbs_) any |= limb;
        return any == 0;
    }
    [[nodiscard]] bool is_negative() const { return (limbs_[Limbs - 1] >> 63) != 0; }

    Wide& operator+=(const Wide& other) {
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < Limbs; ++i) {
            const Unsigned128 sum = static_cast<Unsigned128>(limbs_[i]) + other.limbs_[i] + carry;
            limbs_[i] = static_cast<std::uint64_t>(sum);
            carry = static_cast<std::uint64_t>(sum >> 64);
        }
        return *this;
    }

    Wide& operator-=(const Wide& other) {
        std::uint64_t borrow = 0;
        for (std::size_t i = 0; i < Limbs; ++i) {
            const Unsigned128 difference =
                static_cast<Unsigned128>(limbs_[i]) - other.limbs_[i] - borrow;
            limbs_[i] = static_cast<std::uint64_t>(difference);
            borrow = static_cast<std::uint64_t>(difference >> 64) & 1;
        }
        return *this;
    }

    friend Wide operator-(Wide left, const Wide& right) { return left -= right; }
    friend Wide operator-(const Wide& value) { return Wide{} - value; }
    friend bool operator==(const Wide&, const Wide&) = default;
    friend bool operator<(const Wide& left, const Wide& right) {
        if (left.is_negative() != right.is_negative()) return left.is_negative();
        for (std::size_t i = Limbs; i-- > 0;)
            if (left.limbs_[i] != right.limbs_[i]) return left.limbs_[i] < right.limbs_[i];
        return false;
    }

    /// value × 2^bits, for 0 < bits < 64.
    [[nodiscard]] Wide shifted_up(int bits) const {
        Wide shifted;
        std::uint64_t carried = 0;
        for (std::size_t i = 0; i < Limbs; ++i) {
            shifted.limbs_[i] = (limbs_[i] << bits) | carried;
            carried = limbs_[i] >> (64 - bits);
        }
        return shifted;
    }

    [[nodiscard]] Wide magnitude() const { return is_negative() ? -*this : *this; }

    /// Whether an Int128 holds the value.
    [[nodiscard]] bool is_narrow() const {
        if constexpr (Limbs > 2) {
            const std::uint64_t fill = (limbs_[1] >> 63) != 0 ? ~std::uint64_t{0} : 0;
            for (std::size_t i = 2; i < Limbs; ++i)
                if (limbs_[i] != fill) return false;
        }
        return true;
    }

    /// The value, where it is narrow.
    [[nodiscard]] Int128 narrow() const {
        if constexpr (Limbs == 1) return static_cast<std::int64_t>(limbs_[0]);
        return static_cast<Int128>((static_cast<Unsigned128>(limbs_[Limbs > 1 ? 1 : 0]) << 64) |
                                   limbs_[0]);
    }

  private:
    template <std::size_t Other>
    friend class Wide;
    template <std::size_t Left, std::size_t Right>
    friend Wide<Left + Right> product(const Wide<Left>&, const Wide<Right>&);

    std::array<std::uint64_t, Limbs> limbs_{};
};

/// The exact product: as many limbs as both factors have together.
template <std::size_t Left, std::size_t Right>
Wide<Left + Right> product(const Wide<Left>& left, const Wide<Right>& right) {
    const Wide<Left> a = left.magnitude();
    const Wide<Right> b = right.magnitude();
    Wide<Left + Right> result;
    for (std::size_t i = 0; i < Left; ++i) {
        if (a.limbs_[i] == 0) continue;
        std::uint64_t carry = 0;
        for (std::size_t j = 0; j < Right; ++j) {
            const Unsigned128 sum =
                static_cast<Unsigned128>(a.limbs_[i]) * b.limbs_[j] + result.limbs_[i + j] + carry;
            result.limbs_[i + j] = static_cast<std::uint64_t>(sum);
            carry = static_cast<std::uint64_t>(sum >> 64);
        }
        result.limbs_[i + Right] = carry;
    }
    return left.is_negative() != right.is_negative() ? -result : result;
}

inline Wide<4> product(Int128 left, Int128 right) { return product(Wide<2>(left), Wide<2>(right)); }

/// How many bits the magnitude of a number has.
inline int bits_of(Int128 value) {
    const auto magnitude = static_cast<Unsigned128>(value < 0 ? -value : value);
    const auto high = static_cast<std::uint64_t>(magnitude >> 64);
    return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                     : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(magnitude)));
}

/// The greatest power of two that is no greater than this; what has none gives no power either.
inline double power_below(double value) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & 0x7ffULL << 52);
}

/// The nearest double, or within one unit of its last place for values beyond 128 bits.
inline double to_double(Int128 value) {
    const auto low = static_cast<std::int64_t>(value);
    return value == low ? static_cast<double>(low) : static_cast<double>(value);
}

inline double to_double(double value) { return value; }

/// Within two units of the last place, in a few steps.
inline double near_double(Int128 value) {
    const auto low = static_cast<std::int64_t>(value);
    const auto high = static_cast<std::int64_t>((value - low) >> 64);
    return static_cast<double>(high) * 0x1p64 + static_cast<double>(low);
}

template <std::size_t Limbs>
Twofold to_twofold(const Wide<Limbs>& value) {
    static_assert(Limbs <= 12);  // so that doubles hold it
    if (value.is_narrow()) {
        const Int128 narrow = value.narrow();
        const auto low = static_cast<std::int64_t>(narrow);
        constexpr std::int64_t limit = std::int64_t{1} << 53;
        if (narrow == low && low >= -limit && low <= limit)
            return Twofold(static_cast<double>(low));
    }
    // The top 128 bits from the highest that is set: what is below them does not show in 106. Of
    // these two doubles hold 53 each, and a third the rest.
    const Wide<Limbs> magnitude = value.magnitude();
    const auto limb = [&](std::size_t i) { return i < Limbs ? magnitude.limb(i) : 0; };
    std::size_t top = Limbs - 1;
    while (top > 0 && magnitude.limb(top) == 0) --top;
    const int gap = std::countl_zero(magnitude.limb(top));
    Unsigned128 bits = static_cast<Unsigned128>(magnitude.limb(top)) << 64 | limb(top - 1);
    if (gap > 0) bits = bits << gap | limb(top - 2) >> (64 - gap);
    constexpr std::uint64_t mask = (std::uint64_t{1} << 53) - 1;
    const auto high = static_cast<double>(static_cast<std::uint64_t>(bits >> 75));
    const auto middle = static_cast<double>(static_cast<std::uint64_t>(bits >> 22) & mask);
    const auto rest = static_cast<double>(static_cast<std::uint64_t>(bits) & (mask >> 31));
    const double unit = power_of_two(64 * (static_cast<int>(top) - 1) - gap);
    const Twofold sum = Twofold::sum(high * 0x1p75, middle * 0x1p22 + rest);
    return {(value.is_negative() ? -unit : unit) * sum.high,
            (value.is_negative() ? -unit : unit) * sum.low};
}

inline Twofold to_twofold(Int128 value) {
    constexpr int bits = 53;  // two doubles hold twice as many exactly
    const Int128 high = value >> bits;
    const auto short_high = static_cast<std::int64_t>(high);
    if (high != short_high || (short_high >> bits) != (short_high >> 63))
        return to_twofold(Wide<2>(value));
    const auto low = static_cast<std::int64_t>(value) & ((std::int64_t{1} << bits) - 1);
    return Twofold::sum(static_cast<double>(short_high) * 0x1p53, static_cast<double>(low));
}

template <std::size_t Limbs>
double to_double(const Wide<Limbs>& value) {
    return value.is_narrow() ? to_double(value.narrow()) : to_twofold(value).high;
}

/// An integer as the kind of number that a score is computed in.
template <class Real>
Real as_real(const auto& value) {
    if constexpr (std::is_same_v<Real, double>)
        return to_double(value);
    else
        return to_twofold(value);
}

constexpr int mantissa_bits = std::numeric_limits<double>::digits;

/// A double as mantissa × 2^exponent, from its bits.
struct WholeForm {
    std::int64_t mantissa = 0;
    int exponent = 0;

    explicit WholeForm(double value) {
        constexpr int fraction_bits = mantissa_bits - 1;
        constexpr std::uint64_t fraction = (std::uint64_t{1} << fraction_bits) - 1;
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const auto biased = static_cast<int>((bits >> fraction_bits) & 0x7ff);
        const std::uint64_t hidden = biased == 0 ? 0 : fraction + 1;
        mantissa = static_cast<std::int64_t>((bits & fraction) | hidden);
        exponent = (biased == 0 ? 1 : biased) - 1075;
        if ((bits >> 63) != 0) mantissa = -mantissa;
    }
    /// The exponents of the lowest bit that is set, and of the one above the highest.
    [[nodiscard]] int lowest() const {
        return exponent + std::countr_zero(static_cast<std::uint64_t>(mantissa));
    }
    [[nodiscard]] int highest() const {
        const auto magnitude = static_cast<std::uint64_t>(mantissa < 0 ? -mantissa : mantissa);
        return exponent + static_cast<int>(std::bit_width(magnitude));
    }
};

/// A grid of a power of two for some values.
struct Grid {
    int exponent = 0;
    bool is_exact = true;  // all values lie on it
};

/// The exponents that some values need.
struct Exponents {
    int lowest = std::numeric_limits<int>::max();
    int highest = std::numeric_limits<int>::min();

    void add(double value) {
        if (value == 0) return;
        const WholeForm whole(value);
        lowest = std::min(lowest, whole.lowest());
        highest = std::max(highest, whole.highest());
    }
    Exponents& operator+=(const Exponents& other) {
        lowest = std::min(lowest, other.lowest);
        highest = std::max(highest, other.highest);
        return *this;
    }
    /// The coarsest grid on which all values lie and are below 2^bits; where there is none, the
    /// finest on which they are below 2^bits.
    [[nodiscard]] Grid grid(int bits) const {
        if (highest == std::numeric_limits<int>::min()) return {};
        return {std::max(lowest, highest - bits), lowest >= highest - bits};
    }
};

/// The exponents that the values of rows with weight need.
inline Exponents exponents_of(std::span<const double> values, const double* weights,
                              Threads& threads) {
    return over_stretches<Exponents>(values.size(), threads,
                                     [&](std::size_t begin, std::size_t end) {
                                         Exponents mine;
                                         for (std::size_t i = begin; i < end; ++i)
                                             if (weights == nullptr || weights[i] > 0)
                                                 mine.add(values[i]);
                                         return mine;
                                     });
}

/// The nearest point of the grid.
inline Int128 on_grid(double value, int exponent) {
    const WholeForm whole(value);
    const int shift = whole.exponent - exponent;
    if (shift < -mantissa_bits - 1) return 0;
    if (shift >= 0) return static_cast<Int128>(whole.mantissa) << shift;
    const Int128 half = static_cast<Int128>(1) << (-shift - 1);
    return (static_cast<Int128>(whole.mantissa) + half) >> -shift;
}

}  // namespace bough

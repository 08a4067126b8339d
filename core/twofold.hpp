// Numbers of twice the precision of a double: about 32 decimal digits.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace bough {

/// 2^exponent, a double of full precision.
inline double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

/// value × 2^exponent.
inline double scaled(double value, int exponent) {
    const bool is_double = -1022 <= exponent && exponent <= 1023;
    return is_double ? value * power_of_two(exponent) : std::ldexp(value, exponent);
}

/// The unevaluated sum of two doubles, the second below half a unit of the first's last place.
struct Twofold {
    double high = 0;
    double low = 0;

    Twofold() = default;
    explicit Twofold(double value) : high(value) {}
    Twofold(double a, double b) : high(a), low(b) {}

    /// The exact sum of two doubles.
    [[gnu::always_inline]] static Twofold sum(double a, double b) {
        const double total = a + b;
        const double from_b = total - a;
        return {total, (a - (total - from_b)) + (b - from_b)};
    }
    /// The exact product of two doubles.
    static Twofold product(double a, double b) {
        const double total = a * b;
        return {total, std::fma(a, b, -total)};
    }

    [[gnu::always_inline]] Twofold& operator+=(const Twofold& other) {
        Twofold first = sum(high, other.high);
        const Twofold second = sum(low, other.low);
        first = sum(first.high, first.low + second.high);
        return *this = sum(first.high, first.low + second.low);
    }
    friend Twofold operator-(const Twofold& value) { return {-value.high, -value.low}; }
    friend Twofold operator+(Twofold a, const Twofold& b) { return a += b; }
    friend Twofold operator-(Twofold a, const Twofold& b) { return a += -b; }
    Twofold& operator-=(const Twofold& other) { return *this += -other; }
    [[gnu::always_inline]] friend Twofold operator*(const Twofold& a, const Twofold& b) {
        const Twofold top = product(a.high, b.high);
        return sum(top.high, top.low + (a.high * b.low + a.low * b.high));
    }
    friend Twofold operator/(const Twofold& a, const Twofold& b) {
        const double first = a.high / b.high;
        Twofold rest = a - b * Twofold(first);
        const double second = rest.high / b.high;
        rest -= b * Twofold(second);
        return Twofold(first) + Twofold::sum(second, rest.high / b.high);
    }
};

inline Twofold scaled(const Twofold& value, int exponent) {
    return {scaled(value.high, exponent), scaled(value.low, exponent)};
}

/// A number in a unit that is a power of two. Amounts add up in the larger of their units, so that
/// they may lie any number of orders apart; one of 0 has no say in it.
struct Amount {
    Twofold value;
    int unit = 0;  // its exponent

    Amount& operator+=(const Amount& other) {
        if (other.value.high == 0) return *this;
        if (value.high == 0) return *this = other;
        if (other.unit > unit) {
            value = scaled(value, unit - other.unit);
            unit = other.unit;
        }
        value += other.unit == unit ? other.value : scaled(other.value, other.unit - unit);
        return *this;
    }
    friend Amount operator+(Amount a, const Amount& b) { return a += b; }
    friend Amount operator-(Amount a, const Amount& b) { return a += {-b.value, b.unit}; }
    /// The same in another unit.
    [[nodiscard]] Twofold in(int other_unit) const { return scaled(value, unit - other_unit); }
};

/// The nearest double to a ÷ b.
inline double rounded_quotient(const Twofold& a, const Twofold& b) {
    const double first = a.high / b.high;
    return first + (a - b * Twofold(first)).high / b.high;
}

inline double rounded(double value) { return value; }
inline double rounded(const Twofold& value) { return value.high; }

namespace logarithm {

constexpr int last = 21;  // z^21 < 2^-147

/// 1 / k for all k up to the last.
inline const std::array<Twofold, last + 1>& reciprocals() {
    static const auto made = [] {
        std::array<Twofold, last + 1> of;
        for (int k = 1; k <= last; ++k) of[static_cast<std::size_t>(k)] = Twofold(1) / Twofold(k);
        return of;
    }();
    return made;
}

/// 2 artanh z = ln((1 + z) / (1 - z)), for |z| ≤ 1/128.
inline Twofold twice_artanh(const Twofold& z) {
    const auto& one_over = reciprocals();
    const Twofold square = z * z;
    Twofold series;
    for (std::size_t power = last; power > 1; power -= 2)
        series = (series + one_over[power]) * square;
    return (series + Twofold(1)) * z * Twofold(2);
}

constexpr int steps = 128;

using Table = std::array<Twofold, steps / 2 + 1>;

inline Table make_table() {
    Table table;
    for (int k = steps - 1; k >= steps / 2; --k) {
        const auto place = static_cast<std::size_t>(k - steps / 2);
        table[place] = table[place + 1] - twice_artanh(Twofold(1) / Twofold(2 * k + 1));
    }
    return table;
}

/// ln(k / 128) for k = 64 … 128, each from its neighbour.
inline const Table& table() {
    static const Table made = make_table();
    return made;
}

inline const Twofold& half() {  // ln(1/2)
    return table()[0];
}

/// ln(value × 2^-exponent), the value so scaled being in [1/2, 1).
struct Parts {
    Twofold of_mantissa;
    int exponent = 0;

    explicit Parts(const Twofold& value) {
        const double high = std::frexp(value.high, &exponent);
        const Twofold mantissa(high, scaled(value.low, -exponent));
        const int k = static_cast<int>(std::lround(high * steps));
        const Twofold near(static_cast<double>(k) / steps);
        of_mantissa = table()[static_cast<std::size_t>(k - steps / 2)] +
                      twice_artanh((mantissa - near) / (mantissa + near));
    }
};

}  // namespace logarithm

inline double log_2(double value) { return std::log2(value); }

/// The logarithm to base 2 with about 30 digits, from additions and products alone, so that it is
/// the same with every compiler and library.
inline Twofold log_2(const Twofold& value) {
    const logarithm::Parts parts(value);
    return parts.of_mantissa / -logarithm::half() + Twofold(parts.exponent);
}

/// The natural logarithm, likewise.
inline Twofold ln(const Twofold& value) {
    const logarithm::Parts parts(value);
    return parts.of_mantissa - logarithm::half() * Twofold(parts.exponent);
}

/// (1 + x) ln(1 + x) − x for x ≥ −1, to nearly all digits however small it is. It is what a guess
/// of 1 costs where the label is 1 + x: half the Poisson deviance.
inline double half_deviance(double x) {
    if (x <= -1) return 1;
    if (std::abs(x) < 1e-4) return x * x * (1.0 / 2 - x * (1.0 / 6 - x * (1.0 / 12 - x / 20)));
    return (1 + x) * std::log1p(x) - x;
}
inline Twofold half_deviance(const Twofold& x) {
    if (x.high <= -1) return Twofold(1);
    const Twofold label = Twofold(1) + x;
    if (std::abs(x.high) > 1.0 / 64) return label * ln(label) - x;
    constexpr std::size_t last = 20;  // 64^-20 is 2^-120
    static const auto terms = [] {
        std::array<Twofold, last + 1> of;
        for (std::size_t k = 2; k <= last; ++k)
            of[k] = Twofold(1) / Twofold(static_cast<double>(k * (k - 1)));
        return of;
    }();
    Twofold series;  // Σ (−x)^(k − 2) / (k (k − 1)), from the last term to the first
    for (std::size_t k = last; k >= 2; --k) series = terms[k] - x * series;
    return x * x * series;
}

}  // namespace bough

// Numbers of twice the precision of a double: about 32 decimal digits.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace bough {

/// value × 2^exponent.
inline double scaled(double value, int exponent) { return std::ldexp(value, exponent); }

/// The unevaluated sum of two doubles, the second below half a unit of the first's last place.
struct Twofold {
    double high = 0;
    double low = 0;

    Twofold() = default;
    explicit Twofold(double value) : high(value) {}
    Twofold(double a, double b) : high(a), low(b) {}

    /// The exact sum of two doubles.
    static Twofold sum(double a, double b) {
        const double total = a + b;
        const double from_b = total - a;
        return {total, (a - (total - from_b)) + (b - from_b)};
    }
    /// The exact product of two doubles.
    static Twofold product(double a, double b) {
        const double total = a * b;
        return {total, std::fma(a, b, -total)};
    }

    Twofold& operator+=(const Twofold& other) {
        Twofold first = sum(high, other.high);
        const Twofold second = sum(low, other.low);
        first = sum(first.high, first.low + second.high);
        return *this = sum(first.high, first.low + second.low);
    }
    friend Twofold operator-(const Twofold& value) { return {-value.high, -value.low}; }
    friend Twofold operator+(Twofold a, const Twofold& b) { return a += b; }
    friend Twofold operator-(Twofold a, const Twofold& b) { return a += -b; }
    Twofold& operator-=(const Twofold& other) { return *this += -other; }
    friend Twofold operator*(const Twofold& a, const Twofold& b) {
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

inline double rounded(double value) { return value; }
inline double rounded(const Twofold& value) { return value.high; }

namespace logarithm {

/// 2 artanh z = ln((1 + z) / (1 - z)), for |z| ≤ 1/128.
inline Twofold twice_artanh(const Twofold& z) {
    constexpr int last = 21;  // z^21 < 2^-147
    const Twofold square = z * z;
    Twofold series;
    for (int power = last; power > 1; power -= 2)
        series = (series + Twofold(1) / Twofold(power)) * square;
    return (series + Twofold(1)) * z * Twofold(2);
}

constexpr int steps = 128;

/// ln(k / 128) for k = 64 … 128, each from its neighbour.
inline std::array<Twofold, steps / 2 + 1> make_table() {
    std::array<Twofold, steps / 2 + 1> table;
    for (int k = steps - 1; k >= steps / 2; --k) {
        const auto place = static_cast<std::size_t>(k - steps / 2);
        table[place] = table[place + 1] - twice_artanh(Twofold(1) / Twofold(2 * k + 1));
    }
    return table;
}

}  // namespace logarithm

inline double log_2(double value) { return std::log2(value); }

/// The logarithm to base 2 with about 30 digits, from additions and products alone, so that it is
/// the same with every compiler and library.
inline Twofold log_2(const Twofold& value) {
    static const auto table = logarithm::make_table();
    int exponent = 0;
    const double high = std::frexp(value.high, &exponent);  // in [1/2, 1)
    const Twofold mantissa(high, scaled(value.low, -exponent));
    const int k = static_cast<int>(std::lround(high * logarithm::steps));
    const Twofold near(static_cast<double>(k) / logarithm::steps);
    const Twofold ln = table[static_cast<std::size_t>(k - logarithm::steps / 2)] +
                       logarithm::twice_artanh((mantissa - near) / (mantissa + near));
    return ln / -table[0] + Twofold(exponent);  // table[0] is ln(1/2)
}

}  // namespace bough

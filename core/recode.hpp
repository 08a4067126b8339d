// Values as codes: which codes occur, other codes in their place, and codes for any texts.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "table.hpp"

namespace bough {

/// The place of a code in a list whose first entry is for missing values.
std::size_t place_of(auto code, std::size_t size) {
    const auto place = static_cast<std::size_t>(std::int64_t{code} - missing_choice);
    if (place >= size) throw std::invalid_argument("a code has no place");
    return place;
}

/// Refuse codes below the least or not below the end, in one pass.
template <class Code>
void check_codes(const Strided<Code>& codes, std::size_t count, std::int64_t least,
                 std::int64_t end) {
    std::int64_t lowest = least;
    std::int64_t highest = end - 1;
    const auto look_at = [&](Code code) {
        lowest = std::min<std::int64_t>(lowest, code);
        highest = std::max<std::int64_t>(highest, code);
    };
    if (codes.stride == 1)  // which needs fewer instructions
        for (std::size_t i = 0; i < count; ++i) look_at(codes.first[i]);
    else
        for (std::size_t i = 0; i < count; ++i) look_at(codes[i]);
    if (lowest < least || highest >= end) throw std::invalid_argument("a code is out of range");
}

/// Whether missing values, and each of the codes from 0 on, are there.
template <class Code>
std::vector<std::uint8_t> occurring(const Strided<Code>& codes, std::size_t count, std::size_t n) {
    std::vector<std::uint8_t> occurs(n + 1);
    for (std::size_t i = 0; i < count; ++i) occurs[place_of(codes[i], n + 1)] = 1;
    return occurs;
}

/// For each code its entry in `positions`, the first of `n` of which is for missing values.
template <class Code, class Position>
std::vector<Position> recoded(const Strided<Code>& codes, std::size_t count,
                              const Strided<Position>& positions, std::size_t n) {
    std::vector<Position> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = positions[place_of(codes[i], n)];
    return all;
}

/// Texts of any bytes, numbered in the order in which they first appear.
class Numbering {
  public:
    /// The number of a text, whose bytes stay where they are as long as the numbering is used.
    /// So many bytes can be read where it begins, its own and any others.
    std::int32_t operator()(std::string_view text, std::size_t n_readable = 0) {
        const Key key = n_readable < most_bytes ? key_of(text) : key_at(text);
        Slot& slot = slots_[slot_of(key, text)];
        if (slot.number >= 0) return slot.number;
        const auto number = static_cast<std::int32_t>(texts_.size());
        slot = {key, number};
        texts_.push_back(text);
        if (2 * texts_.size() > slots_.size()) grow();
        return number;
    }

    const std::vector<std::string_view>& texts() const { return texts_; }

  private:
    static constexpr std::size_t most_bytes = 16;  // of a text that its key tells from any other

    struct Key {
        std::uint64_t head = 0, tail = 0, size = 0;  // all longer texts have the same size
        bool operator==(const Key&) const = default;
    };
    struct Slot {
        Key key;
        std::int32_t number = -1;
    };

    static std::uint64_t word(const void* bytes) {
        std::uint64_t value;
        std::memcpy(&value, bytes, sizeof value);
        return value;
    }

    static Key key_of(std::string_view text) {
        if (text.size() > most_bytes) return long_key(text);
        char padded[most_bytes] = {};
        std::memcpy(padded, text.data(), text.size());
        return {word(padded), word(padded + 8), text.size()};
    }

    /// The same without a branch for each size, from a place where as many bytes can be read.
    static Key key_at(std::string_view text) {
        static constexpr auto bytes_kept = [] {
            std::array<unsigned char, 2 * most_bytes> kept{};
            std::fill_n(kept.begin(), most_bytes, static_cast<unsigned char>(0xFF));
            return kept;
        }();
        if (text.size() > most_bytes) return long_key(text);
        const unsigned char* kept = bytes_kept.data() + most_bytes - text.size();
        return {word(text.data()) & word(kept), word(text.data() + 8) & word(kept + 8),
                text.size()};
    }

    static Key long_key(std::string_view text) {
        const char* last = text.data() + text.size() - 8;
        std::uint64_t head = text.size();
        for (const char* bytes = text.data(); bytes < last; bytes += 8) {
            head = (head ^ word(bytes)) * spread;
            head ^= head >> 32;
        }
        return {head, word(last), most_bytes + 1};
    }

    std::size_t slot_of(const Key& key, std::string_view text) const {
        std::uint64_t place = (key.head + key.size) * spread + std::rotl(key.tail * spread, 29);
        place = (place ^ place >> 32) * spread;
        std::size_t slot = static_cast<std::size_t>(place >> shift_);
        const auto is_other = [&](const Slot& held) {
            if (held.number < 0) return false;
            if (!(held.key == key)) return true;
            return key.size > most_bytes && texts_[static_cast<std::size_t>(held.number)] != text;
        };
        while (is_other(slots_[slot])) slot = (slot + 1) & (slots_.size() - 1);
        return slot;
    }

    void grow() {
        --shift_;
        slots_.assign(2 * slots_.size(), {});
        for (std::size_t number = 0; number < texts_.size(); ++number) {
            const Key key = key_of(texts_[number]);
            slots_[slot_of(key, texts_[number])] = {key, static_cast<std::int32_t>(number)};
        }
    }

    static constexpr std::uint64_t spread = 0x9E3779B97F4A7C15;  // odd, of evenly strewn bits
    int shift_ = 64 - 6;
    std::vector<Slot> slots_ = std::vector<Slot>(64);  // twice as many as texts, or more
    std::vector<std::string_view> texts_;
};

}  // namespace bough

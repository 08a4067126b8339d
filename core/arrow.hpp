// Text of Arrow's C interface: https://arrow.apache.org/docs/format/CDataInterface.html
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "recode.hpp"

// Names and members are those of the standard; programs that share arrays agree on them.
extern "C" {
struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags, n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};
struct ArrowArray {
    std::int64_t length, null_count, offset, n_buffers, n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};
struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
    int (*get_next)(ArrowArrayStream*, ArrowArray*);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};
}

namespace bough {

/// What a stream gave, released at the end.
template <class Given>
struct Owned : Given {
    Owned() : Given{} {}
    Owned(Owned&& other) noexcept : Given(other) { other.release = nullptr; }
    Owned& operator=(Owned&&) = delete;
    ~Owned() {
        if (this->release != nullptr) this->release(this);
    }
};

/// The format of a stream's arrays, and the arrays themselves.
struct ArrowChunks {
    Owned<ArrowSchema> schema;
    std::vector<Owned<ArrowArray>> arrays;

    explicit ArrowChunks(ArrowArrayStream& stream) {
        const auto check = [&](int error) {
            if (error == 0) return;
            const char* why = stream.get_last_error(&stream);
            throw std::runtime_error(why == nullptr ? "the Arrow stream broke off" : why);
        };
        check(stream.get_schema(&stream, &schema));
        if (!is_text()) return;
        for (;;) {
            Owned<ArrowArray> array;
            check(stream.get_next(&stream, &array));
            if (array.release == nullptr) return;
            arrays.push_back(std::move(array));
        }
    }

    std::string_view format() const { return schema.format; }
    bool is_text() const {
        const bool is_known = format() == "u" || format() == "U" || format() == "vu";
        return is_known && schema.dictionary == nullptr;
    }
};

/// Texts that stand one after the other, each between two offsets.
template <class Offset>
struct ArrowRun {
    const Offset* offsets;
    const char* bytes;
    Offset end;

    explicit ArrowRun(const ArrowArray& array)
        : offsets(static_cast<const Offset*>(array.buffers[1]) + array.offset),
          bytes(static_cast<const char*>(array.buffers[2])),
          end(offsets[array.length]) {}
    std::int32_t numbered(std::size_t row, Numbering& number) const {
        const auto size = static_cast<std::size_t>(offsets[row + 1] - offsets[row]);
        return number({bytes + offsets[row], size}, static_cast<std::size_t>(end - offsets[row]));
    }
};

/// Texts of which short ones stand in their row, and longer ones in one of several buffers.
struct ArrowViews {
    const char* views;
    const void** buffers;
    std::size_t n_rows;

    explicit ArrowViews(const ArrowArray& array)
        : views(static_cast<const char*>(array.buffers[1]) + 16 * array.offset),
          buffers(array.buffers + 2),
          n_rows(static_cast<std::size_t>(array.length)) {}
    std::int32_t numbered(std::size_t row, Numbering& number) const {
        std::int32_t view[4];  // size, its first bytes, buffer, offset
        const char* place = views + 16 * row;
        std::memcpy(view, place, sizeof view);
        const auto size = static_cast<std::size_t>(view[0]);
        if (size > 12) return number({static_cast<const char*>(buffers[view[2]]) + view[3], size});
        const bool is_last = row + 1 == n_rows;
        return number({place + 4, size}, is_last ? 12 : 28);
    }
};

/// Number the texts of an array; a missing one is `missing_choice`.
template <class Texts>
void number_array(const ArrowArray& array, Numbering& number, std::int32_t* codes) {
    const Texts texts(array);
    const auto* is_valid = static_cast<const std::uint8_t*>(array.buffers[0]);
    const auto count = static_cast<std::size_t>(array.length);
    const auto offset = static_cast<std::size_t>(array.offset);
    for (std::size_t row = 0; row < count; ++row) {
        const std::size_t bit = offset + row;
        const bool is_missing = is_valid != nullptr && (is_valid[bit / 8] >> bit % 8 & 1) == 0;
        codes[row] = is_missing ? missing_choice : texts.numbered(row, number);
    }
}

inline std::vector<std::int32_t> number_chunks(const ArrowChunks& chunks, Numbering& number) {
    std::size_t n_rows = 0;
    for (const ArrowArray& array : chunks.arrays) n_rows += static_cast<std::size_t>(array.length);
    std::vector<std::int32_t> codes(n_rows);
    std::int32_t* next = codes.data();
    for (const ArrowArray& array : chunks.arrays) {
        if (array.length == 0) continue;  // it need not have any buffers
        if (chunks.format() == "u") number_array<ArrowRun<std::int32_t>>(array, number, next);
        if (chunks.format() == "U") number_array<ArrowRun<std::int64_t>>(array, number, next);
        if (chunks.format() == "vu") number_array<ArrowViews>(array, number, next);
        next += array.length;
    }
    return codes;
}

}  // namespace bough

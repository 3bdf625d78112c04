#ifndef MPAAS_PINYIN_DATA_H
#define MPAAS_PINYIN_DATA_H

extern const unsigned char mp_pinyin_data[];
extern const unsigned char mp_pinyin_data_end[];

/// The first byte of pinyin.data as it lies in the program: page aligned, mapped with it, read only.
static inline const void *mp_pinyin_data_start(void) { return mp_pinyin_data; }

/// The number of its bytes.
static inline long mp_pinyin_data_size(void) { return mp_pinyin_data_end - mp_pinyin_data; }

#endif

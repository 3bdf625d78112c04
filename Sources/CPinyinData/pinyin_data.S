// pinyin.data, which scripts/pinyin-data writes, becomes part of the program's read-only data.
#if defined(__APPLE__)
#define SYMBOL(name) _##name
  .section __TEXT,__const
#else
#define SYMBOL(name) name
  .section .rodata
#endif
  .globl SYMBOL(mp_pinyin_data)
  .globl SYMBOL(mp_pinyin_data_end)
  .p2align 12
SYMBOL(mp_pinyin_data):
  .incbin "pinyin.data"
SYMBOL(mp_pinyin_data_end):
  .byte 0
#if defined(__linux__)
  .section .note.GNU-stack,"",%progbits
#endif

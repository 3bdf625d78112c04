#include "look.h"

#if defined(MP_LOOKS_AT_ELF)

#include <string.h>

const Elf64_Sym *mp_module_symbol(const mp_look *look, const mp_module *module, uint32_t index) {
  uint64_t address = module->symbols + (uint64_t)index * sizeof(Elf64_Sym);
  if (module->symbols == 0 || address < module->symbols || address + sizeof(Elf64_Sym) > module->end) return NULL;
  return mp_is_readable(look, address, sizeof(Elf64_Sym)) ? (const Elf64_Sym *)(uintptr_t)address : NULL;
}

static bool is_function(const Elf64_Sym *symbol) {
  unsigned type = ELF64_ST_TYPE(symbol->st_info);
  return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC);
}

typedef struct {
  uint32_t buckets, first, blooms, shift;
} hash_header;

/// The header of the GNU hash table, where all of its buckets can be read; NULL otherwise.
static const hash_header *hash_of(const mp_look *look, const mp_module *module) {
  if (module->hash == 0 || !mp_is_readable(look, module->hash, sizeof(hash_header))) return NULL;
  const hash_header *header = (const hash_header *)(uintptr_t)module->hash;
  uint64_t size = sizeof *header + (uint64_t)header->blooms * 8 + (uint64_t)header->buckets * 4;
  if (header->buckets == 0 || size > module->end - module->hash) return NULL;
  return mp_is_readable(look, module->hash, size) ? header : NULL;
}

// GNU hash table as glibc's elf/dl-lookup.c reads it.
const Elf64_Sym *mp_module_find(const mp_look *look, const mp_module *module, const char *name) {
  const hash_header *header = hash_of(look, module);
  if (header == NULL) return NULL;
  uint32_t wanted = 5381;
  for (const char *at = name; *at != 0; at++) wanted = wanted * 33 + (uint8_t)*at;
  const uint32_t *buckets = (const uint32_t *)((const uint64_t *)(header + 1) + header->blooms);
  const uint32_t *chains = buckets + header->buckets;
  uint32_t index = buckets[wanted % header->buckets];
  if (index < header->first) return NULL;
  for (int guard = 0; guard < 65536; guard++, index++) {
    const uint32_t *chain = chains + (index - header->first);
    if ((uint64_t)(uintptr_t)(chain + 1) > module->end || !mp_is_readable(look, (uint64_t)(uintptr_t)chain, 4)) return NULL;
    if ((*chain | 1) == (wanted | 1)) {
      const Elf64_Sym *symbol = mp_module_symbol(look, module, index);
      if (symbol == NULL) return NULL;
      const char *found = mp_module_string(module, symbol->st_name);
      if (is_function(symbol) && found != NULL && strcmp(found, name) == 0) return symbol;
    }
    if (*chain & 1) return NULL;
  }
  return NULL;
}

/// The number of symbols, which only the end of the longest chain tells.
static uint32_t symbol_count(const mp_look *look, const mp_module *module) {
  const hash_header *header = hash_of(look, module);
  if (header == NULL) return 0;
  const uint32_t *buckets = (const uint32_t *)((const uint64_t *)(header + 1) + header->blooms);
  const uint32_t *chains = buckets + header->buckets;
  uint32_t last = 0;
  for (uint32_t index = 0; index < header->buckets; index++) {
    if (buckets[index] > last) last = buckets[index];
  }
  if (last < header->first) return header->first;
  for (int guard = 0; guard < 65536; guard++, last++) {
    const uint32_t *chain = chains + (last - header->first);
    if ((uint64_t)(uintptr_t)(chain + 1) > module->end || !mp_is_readable(look, (uint64_t)(uintptr_t)chain, 4)) return last;
    if (*chain & 1) return last + 1;
  }
  return last;
}

const char *mp_module_name_at(const mp_look *look, const mp_module *module, uint64_t address) {
  uint32_t count = symbol_count(look, module);
  for (uint32_t index = 1; index < count; index++) {
    const Elf64_Sym *symbol = mp_module_symbol(look, module, index);
    if (symbol == NULL) return NULL;
    uint64_t start = module->bias + symbol->st_value;
    uint64_t size = symbol->st_size == 0 ? 1 : symbol->st_size;
    if (is_function(symbol) && address >= start && address - start < size) {
      return mp_module_string(module, symbol->st_name);
    }
  }
  return NULL;
}

#endif

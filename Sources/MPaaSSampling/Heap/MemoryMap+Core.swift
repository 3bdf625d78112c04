package import MPaaSCrash

extension MemoryMap {
  /// The memory of a process that ended, as its core has it: in memory counts what the core holds.
  package init(_ core: CoreFile) {
    let ranges = core.mappings.map { mapping in
      var permissions = mapping.isReadable ? "r" : "-"
      permissions += mapping.isWritable ? "w" : "-"
      permissions += mapping.isExecutable ? "x" : "-"
      var range = MemoryRange(
        start: mapping.start, end: mapping.end, permissions: permissions + "p", inode: 0, path: mapping.path)
      range.resident = mapping.held
      return range
    }
    self.init(ranges, program: core.programPath)
    missing = core.missingBytes
  }
}

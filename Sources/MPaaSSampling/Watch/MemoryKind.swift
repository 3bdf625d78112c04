/// The kinds of memory that a process has.
package enum MemoryKind: String, Sendable, CaseIterable, Codable {
  /// The program's own file: code, constants, variables.
  case program
  /// Files with code: libraries.
  case libraries
  /// Other files.
  case files
  /// Memory that the C library grows with `brk`: `[heap]`.
  case heap
  /// Memory without a file: what `malloc` maps, pools, stacks of threads.
  case anonymous
  /// The main thread's stack.
  case stack
  /// Memory that is shared with others: shm, memfd, `MAP_SHARED` without a file.
  case shared
  /// Code and data that the kernel maps into every process.
  case kernel
}

/// A range of a process' memory with what of it is there.
package struct MemoryRange: Sendable, Equatable {
  package let start: UInt64
  package let end: UInt64
  /// As in `/proc/PID/maps`: `rw-p`.
  package let permissions: String
  package let inode: UInt64
  /// Empty where there is none.
  package let path: String
  /// Bytes in memory; the same with each page divided by how many share it; swapped out; written to.
  package internal(set) var resident: UInt64 = 0
  package internal(set) var proportional: UInt64 = 0
  package internal(set) var swapped: UInt64 = 0
  package internal(set) var dirty: UInt64 = 0

  init(start: UInt64, end: UInt64, permissions: String, inode: UInt64, path: String) {
    self.start = start
    self.end = end
    self.permissions = permissions
    self.inode = inode
    self.path = path
  }

  package var size: UInt64 { end - start }
  var isExecutable: Bool { permissions.dropFirst(2).first == "x" }
  var isShared: Bool { permissions.last == "s" }
}

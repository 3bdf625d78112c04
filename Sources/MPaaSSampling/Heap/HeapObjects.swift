package import MPaaSCrash
import MPaaSSupport

/// Swift's objects in the memory of a process, counted by their classes.
///
/// Counted is what is certain: a block of `malloc` that is in use, begins with the metadata of a class that an image
/// describes, is large enough for it, and has a count of references that is not at its end.
package struct HeapObjects: Sendable, Equatable {
  package struct Row: Sendable, Equatable, Encodable {
    /// With its module: `Shop.Cart`; of generic classes all together.
    package let type: String
    /// The file that has the class.
    package let image: String
    package internal(set) var count: Int
    /// The sum of the sizes of their blocks.
    package internal(set) var bytes: Int64
  }

  /// Those that take most first.
  package let rows: [Row]
  /// Blocks in use, of objects and of others.
  package let blocks: Int
  package let blockBytes: UInt64
  /// Nanoseconds for which the process stood still; 0 for a core.
  package private(set) var stopped: UInt64 = 0

  private struct Key: Hashable {
    let type: String
    let image: String
  }

  private init(_ map: MemoryMap, _ memory: any TargetMemory, _ classes: SwiftClasses) {
    var window = MemoryWindow(memory)
    var sums: [Key: Row] = [:]
    var (blocks, bytes): (Int, UInt64) = (0, 0)
    for range in map.ranges where range.isOfMalloc {
      guard let heap = MallocHeap(range, &window) else { continue }
      blocks += heap.blocks.count
      for block in heap.blocks {
        bytes &+= block.size
        guard let found = classes.class(of: block) else { continue }
        let key = Key(type: found.name, image: found.image)
        sums[key, default: Row(type: key.type, image: key.image, count: 0, bytes: 0)].count += 1
        sums[key]?.bytes += Int64(clamping: block.size)
      }
    }
    self.blocks = blocks
    blockBytes = bytes
    rows = Self.sorted(sums.values)
  }

  private static func sorted(_ rows: some Sequence<Row>) -> [Row] {
    rows.sorted { ($1.bytes, $1.count, $0.type, $0.image) < ($0.bytes, $0.count, $1.type, $1.image) }
  }

  /// The objects of a process that runs, which stands still meanwhile.
  ///
  /// - Throws: `CaptureError`: not there, not permitted, held by a debugger.
  package static func live(_ process: Int32) throws(CaptureError) -> (map: MemoryMap, objects: HeapObjects) {
    // Parts of images do not change: they are read while the process runs.
    let memory = LiveMemory(process: process)
    let classes = SwiftClasses(try MemoryMap.live(process), memory, open: open)
    var threads = try AttachedThreads(process: process)
    let start = SystemClock.monotonicNanoseconds()
    _ = threads.halt(milliseconds: 1000)
    defer { threads.detach() }
    memory.flush()
    let map = try MemoryMap.live(process)
    var objects = HeapObjects(map, memory, classes)
    objects.stopped = SystemClock.monotonicNanoseconds() &- start
    return (map, objects)
  }

  /// The objects that a core holds.
  ///
  /// - Throws: `CoreError` where a file is not the one that was mapped.
  package init(_ core: CoreFile) throws(CoreError) {
    let (map, memory) = (MemoryMap(core), try core.memory(open: Self.open))
    self.init(map, memory, SwiftClasses(map, memory, open: Self.open))
  }

  private static func open(_ path: String) -> Bytes? {
    FileStatus(path)?.kind == .file ? try? Bytes.mapping(path) : nil
  }

  /// The classes that have more objects than before, the largest growth first; less where it is negative.
  package func growth(from before: HeapObjects) -> [Row] {
    var sums: [Key: Row] = [:]
    for row in rows { sums[Key(type: row.type, image: row.image)] = row }
    for row in before.rows {
      let key = Key(type: row.type, image: row.image)
      sums[key, default: Row(type: row.type, image: row.image, count: 0, bytes: 0)].count -= row.count
      sums[key]?.bytes -= row.bytes
    }
    return Self.sorted(sums.values.filter { $0.count != 0 || $0.bytes != 0 })
  }
}

extension MemoryRange {
  /// Tells whether it may be one of malloc's: written to, and without a file.
  fileprivate var isOfMalloc: Bool {
    permissions.hasPrefix("rw") && !isShared && (path.isEmpty || path == "[heap]" || path.hasPrefix("[anon"))
  }
}

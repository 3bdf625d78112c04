import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The marks that tell one state of a file from another without reading it.
struct Identity: Equatable {
  let number: UInt64
  let size: UInt64
  /// Nanoseconds since 1970 of the last change of content, which anybody can set.
  let modified: Int64
  /// Nanoseconds since 1970 of the last change of any kind, which the system alone sets.
  let changed: Int64
  /// The lowest 12 bits: who may do what.
  let mode: UInt16

  init(_ status: stat) {
    number = UInt64(truncatingIfNeeded: status.st_ino)
    size = UInt64(max(status.st_size, 0))
    mode = UInt16(truncatingIfNeeded: status.st_mode) & 0o7777
    #if canImport(Darwin)
      (modified, changed) = (Self.nanoseconds(status.st_mtimespec), Self.nanoseconds(status.st_ctimespec))
    #else
      (modified, changed) = (Self.nanoseconds(status.st_mtim), Self.nanoseconds(status.st_ctim))
    #endif
  }

  init(number: UInt64, size: UInt64, modified: Int64, changed: Int64, mode: UInt16) {
    self.number = number
    self.size = size
    self.modified = modified
    self.changed = changed
    self.mode = mode
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// The nanoseconds after a change in which another one may still get the same time: two steps of the slowest clock.
  static let step: Int64 = 20_000_000

  /// The time by which changes that are seen now are told from later ones.
  static var settled: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time) - step
  }
}

/// A number for the names and states of all that is in a folder, whatever the order in which they are seen.
///
/// It tells changes that happen, not such as somebody makes on purpose.
struct Fingerprint: Equatable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  private var names: UInt64 = 0
  private var count: UInt64 = 0
  /// The time when a file or link was changed for the last time.
  private(set) var newest: Int64 = 0

  init() {}

  /// The fingerprint of what stands in a folder; nil where it cannot be read.
  init?(of folder: String) {
    var sum = Fingerprint()
    let isWhole = FolderTree.visit(folder) { path, status in
      sum.add(path, status)
      return true
    }
    guard isWhole else { return nil }
    self = sum
  }

  mutating func add(_ path: UnsafeBufferPointer<UInt8>, _ status: stat) {
    // The marker holds the sum, and what a file manager leaves is no change.
    if path.elementsEqual(PlacedFolder.markerName.utf8) || path.suffix(9).elementsEqual(".DS_Store".utf8) { return }
    let kind = status.st_mode & S_IFMT
    // FNV-1a, 64 bits.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in path { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    mix(&hash, UInt64(kind))
    names &+= hash
    // A folder's own time changes with the marker.
    if kind != S_IFDIR {
      let state = Identity(status)
      newest = max(newest, state.changed)
      for value in [state.size, state.number, UInt64(state.mode)] { mix(&hash, value) }
      for value in [state.modified, state.changed] { mix(&hash, UInt64(bitPattern: value)) }
    }
    low &+= hash
    var other = hash ^ 0x9e37_79b9_7f4a_7c15
    mix(&other, hash)
    high &+= other
    count &+= 1
  }

  private func mix(_ hash: inout UInt64, _ value: UInt64) {
    hash ^= value &* 0x9e37_79b9_7f4a_7c15
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    hash ^= hash >> 31
  }

  var text: String { "\(String(count, radix: 16))-\(String(low, radix: 16))-\(String(high, radix: 16))" }

  /// The same for names and kinds alone.
  var shape: String { "\(String(count, radix: 16))-\(String(names, radix: 16))" }
}

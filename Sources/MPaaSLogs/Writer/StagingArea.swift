import CLogRing
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The segments that records are staged in: a file mapped and shared, which the end of the process does not touch.
///
/// It knows no locks: `TypeLog` has them.
final class StagingArea {
  /// One segment, and where the same records stand as they were before encryption.
  struct Segment {
    let mapped: UnsafeMutableRawPointer
    /// In memory that no other process can change, so that its numbers can be trusted.
    let plain: UnsafeMutableRawPointer
    /// nil where nothing is encrypted.
    let keystream: UnsafeMutableRawPointer?
    var state = StagingSegment.State.free
    var generation: UInt64 = 0
    /// Bytes of records.
    var used = 0
    var firstSequence: UInt64 = 0
    var endSequence: UInt64 = 0
    /// The hour that its records belong to: nanoseconds since 1970.
    var hour: Range<Int64> = 0..<0
  }

  let header: StagingHeader
  /// Tells whether the end of the process loses nothing; else the disk had no room for the file.
  let isShared: Bool
  let segments: UnsafeMutableBufferPointer<Segment>
  /// Bytes of records that a segment has room for.
  let capacity: Int
  private let secret: LogSecret?
  private let mapping: UnsafeMutableRawBufferPointer
  private let privateMemory: UnsafeMutableRawBufferPointer
  private var nextGeneration: UInt64 = 1

  /// - Parameters:
  ///   - path: The new file; nil where only memory is used.
  ///   - nextSequence: What the first record will have.
  init?(path: String?, header: StagingHeader, secret: LogSecret?, nextSequence: UInt64) {
    let size = header.fileSize
    let shared = path.flatMap { Self.map($0, size) }
    guard let mapping = shared ?? Self.memory(size) else { return nil }
    self.mapping = mapping
    self.header = header
    self.secret = secret
    isShared = shared != nil
    capacity = header.segmentSize - StagingSegment.headerSize
    let needed = header.segmentCount * header.segmentSize
    guard let privateMemory = Self.memory(secret == nil ? needed : 2 * needed) else { return nil }
    self.privateMemory = privateMemory
    segments = .allocate(capacity: header.segmentCount)
    for index in 0..<header.segmentCount {
      guard let start = mapping.baseAddress, let own = privateMemory.baseAddress else { return nil }
      let plain = own + index * header.segmentSize
      segments.initializeElement(
        at: index,
        to: Segment(
          mapped: start + header.segment(index).lowerBound, plain: plain,
          keystream: secret == nil ? nil : plain + needed))
      guard renew(index) else { return nil }
    }
    mapping.put(nextSequence, header.segment(0).lowerBound + StagingSegment.endSequenceOffset)
    header.write(to: mapping)
  }

  deinit {
    segments.deallocate()
    munmap(mapping.baseAddress, mapping.count)
    munmap(privateMemory.baseAddress, privateMemory.count)
  }

  /// Makes the file with all its room on the disk, so that no write to memory can fail for want of it.
  private static func map(_ path: String, _ size: Int) -> UnsafeMutableRawBufferPointer? {
    guard let file = try? OpenFile(path, .emptying(0o600)) else { return nil }
    #if canImport(Darwin)
      var room = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0, fst_length: off_t(size),
        fst_bytesalloc: 0)
      let isThere = fcntl(file.descriptor, F_PREALLOCATE, &room) == 0 && ftruncate(file.descriptor, off_t(size)) == 0
    #else
      let isThere = posix_fallocate(file.descriptor, 0, off_t(size)) == 0
    #endif
    guard isThere,
      let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0), address != MAP_FAILED
    else {
      unlink(path)
      return nil
    }
    return UnsafeMutableRawBufferPointer(start: address, count: size)
  }

  private static func memory(_ size: Int) -> UnsafeMutableRawBufferPointer? {
    guard let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), address != MAP_FAILED
    else { return nil }
    return UnsafeMutableRawBufferPointer(start: address, count: size)
  }

  /// Empties a segment whose records stand in a file, and makes it ready for others.
  ///
  /// A generation is never filled twice, so neither is a keystream used twice.
  ///
  /// - Returns: Whether it may be filled; not where the library made no keystream.
  func renew(_ index: Int) -> Bool {
    let segment = segments[index]
    mp_log_publish(segment.mapped.assumingMemoryBound(to: UInt32.self), StagingSegment.State.free.rawValue)
    memset(segment.mapped + StagingSegment.headerSize, 0, segment.used)
    let generation = nextGeneration
    nextGeneration += 1
    segment.mapped.storeBytes(
      of: generation.littleEndian, toByteOffset: StagingSegment.generationOffset, as: UInt64.self)
    segments[index].generation = generation
    segments[index].used = 0
    if let secret, let keystream = segment.keystream {
      guard let fresh = secret.keystream(generation, size: capacity), fresh.count == capacity else { return false }
      fresh.withUnsafeBytes { bytes in
        if let base = bytes.baseAddress { keystream.copyMemory(from: base, byteCount: capacity) }
      }
    }
    return true
  }

  /// Begins to fill a segment.
  func begin(_ index: Int, sequence: UInt64, hour: Range<Int64>) {
    segments[index].state = .filling
    segments[index].firstSequence = sequence
    segments[index].endSequence = sequence
    segments[index].hour = hour
    let mapped = segments[index].mapped
    mapped.storeBytes(of: sequence.littleEndian, toByteOffset: StagingSegment.firstSequenceOffset, as: UInt64.self)
    mapped.storeBytes(of: 0, toByteOffset: StagingSegment.endSequenceOffset, as: UInt64.self)
    mp_log_publish(mapped.assumingMemoryBound(to: UInt32.self), StagingSegment.State.filling.rawValue)
  }

  /// Ends the filling of a segment.
  func finish(_ index: Int) {
    segments[index].state = .full
    let segment = segments[index]
    segment.mapped.storeBytes(
      of: segment.endSequence.littleEndian, toByteOffset: StagingSegment.endSequenceOffset, as: UInt64.self)
    mp_log_publish(segment.mapped.assumingMemoryBound(to: UInt32.self), StagingSegment.State.full.rawValue)
  }

  /// The number of dropped records that no record tells of yet; kept with the staged ones.
  var dropped: UInt64 {
    get { header.dropped(UnsafeRawBufferPointer(mapping)) }
    set { mapping.put(newValue, header.droppedOffset) }
  }

  /// Has what is staged survive a loss of power.
  func settle() {
    if isShared { msync(mapping.baseAddress, mapping.count, MS_SYNC) }
  }
}

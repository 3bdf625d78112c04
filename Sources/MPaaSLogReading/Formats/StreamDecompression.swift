import CLibZ
import CLibZstd
import MPaaSLogs
import MPaaSSupport

/// Decompresses gzip, zlib, raw deflate or zstd piece by piece; what has no end gives what there is.
final class StreamDecompression {
  enum Form { case gzip, rawDeflate, zstandard }

  private let form: Form
  private var zlib = z_stream()
  private let zstd: OpaquePointer?
  /// Tells whether the stream ended as it should.
  private(set) var isDone = false
  private(set) var isDamaged = false
  /// So many bytes behind a stream's end are no stream of their own: what a cipher was filled up with.
  private var padding = 0

  init(_ form: Form) {
    self.form = form
    zstd = form == .zstandard ? ZSTD_createDCtx() : nil
    guard form != .zstandard else { return }
    let bits: Int32 = form == .gzip ? 31 : -15
    isDamaged = inflateInit2_(&zlib, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) != Z_OK
  }

  deinit {
    if form == .zstandard { ZSTD_freeDCtx(zstd) } else { inflateEnd(&zlib) }
  }

  /// Decompresses `input` from `start` on, which it moves, until about `limit` bytes came out or the input is used up.
  func next(_ input: UnsafeRawBufferPointer, from start: inout Int, limit: Int) -> [UInt8] {
    var output: [UInt8] = []
    while start < input.count, output.count < limit, !isDamaged {
      if isDone {
        guard input.count - start > padding, restart() else { break }
      }
      let piece = UnsafeRawBufferPointer(rebasing: input[start...])
      let room = 1 << 16
      let before = output.count
      var taken = 0
      output += [UInt8](unsafeUninitializedCapacity: room) { target, count in
        (taken, count) = step(piece, UnsafeMutableRawBufferPointer(target))
      }
      start += taken
      if taken == 0, output.count == before { break }
    }
    return output
  }

  private func step(
    _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
  ) -> (taken: Int, made: Int) {
    if form == .zstandard {
      var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
      var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
      let status = ZSTD_decompressStream(zstd, &target, &source)
      if ZSTD_isError(status) != 0 { isDamaged = true }
      isDone = status == 0
      return (source.pos, target.pos)
    }
    let size = min(input.count, 1 << 30)
    zlib.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    zlib.avail_in = UInt32(size)
    zlib.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    zlib.avail_out = UInt32(output.count)
    let status = inflate(&zlib, Z_NO_FLUSH)
    if status == Z_STREAM_END { isDone = true } else if status != Z_OK, status != Z_BUF_ERROR { isDamaged = true }
    return (size - Int(zlib.avail_in), output.count - Int(zlib.avail_out))
  }

  /// Several streams may stand one after another.
  private func restart() -> Bool {
    isDone = false
    if form == .zstandard { return true }
    return inflateReset(&zlib) == Z_OK
  }

  /// All of a small input; at most `limit` bytes come out.
  static func all(_ input: UnsafeRawBufferPointer, _ form: Form, limit: Int) -> (output: [UInt8], isDamaged: Bool) {
    let stream = StreamDecompression(form)
    if form == .gzip { stream.padding = 16 }
    var start = 0
    var output: [UInt8] = []
    while start < input.count, !stream.isDone, !stream.isDamaged, output.count < limit {
      let before = start
      let piece = stream.next(input, from: &start, limit: 1 << 16)
      if piece.isEmpty, start == before { break }
      output += piece
    }
    return (output, stream.isDamaged)
  }
}

/// The text of a .gz or .zst file.
struct DecompressedText: TextProducer {
  private let file: ReadFile
  private let stream: StreamDecompression
  private var offset = 0
  private var input: [UInt8] = []
  private var used = 0
  private var isFinished = false

  init(_ file: ReadFile, _ form: StreamDecompression.Form) {
    self.file = file
    stream = StreamDecompression(form)
  }

  mutating func next() throws(LogError) -> [UInt8]? {
    while !isFinished {
      if used == input.count {
        input = file.bytes(offset..<offset + (1 << 18))
        offset += input.count
        used = 0
        guard !input.isEmpty else {
          isFinished = true
          guard stream.isDone else { throw LogError(.streamTorn, ["path": file.path], at: .file(file.path)) }
          return nil
        }
      }
      let text = input.withUnsafeBytes { stream.next($0, from: &used, limit: 1 << 20) }
      if stream.isDamaged {
        isFinished = true
        // Text that came out before the damage is handed over first.
        guard text.isEmpty else {
          isCut = true
          return text
        }
        throw LogError(.streamDamaged, ["path": file.path], at: .bytes(file: file.path, offset: UInt64(offset)))
      }
      if !text.isEmpty { return text }
    }
    guard isCut else { return nil }
    isCut = false
    throw LogError(.streamDamaged, ["path": file.path], at: .bytes(file: file.path, offset: UInt64(offset)))
  }

  /// Tells whether the damage was not told yet.
  private var isCut = false
}

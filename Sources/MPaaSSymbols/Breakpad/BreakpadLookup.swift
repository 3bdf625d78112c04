import MPaaSSupport
import Synchronization

/// Look-ups in a Breakpad symbol file; lines and inlined calls of a function are read when an address falls into it.
final class BreakpadLookup: FrameLookup {
  let image: BreakpadImage
  let table: BreakpadTable
  /// The module's load address in the addresses that are asked for.
  let base: UInt64
  /// Asked where the file knows nothing.
  let other: (any FrameLookup)?
  private let bodies = Mutex<[Int: Body]>([:])

  /// As many functions' lines are kept; then all are forgotten.
  private static let mostBodies = 4096

  /// The lines and inlined calls of one function, by address.
  struct Body: Sendable {
    struct Line {
      let address: UInt64
      let size: UInt64
      let line: UInt32
      let file: UInt32
    }

    struct Call {
      let range: Range<UInt64>
      let depth: UInt32
      let line: UInt32
      let file: UInt32
      let origin: UInt32
    }

    var lines: [Line] = []
    var calls: [Call] = []
  }

  /// - Parameter base: What is taken off an address to count from the module's load address.
  init(_ image: BreakpadImage, base: UInt64 = 0, other: (any FrameLookup)? = nil) {
    self.image = image
    self.base = base
    self.other = other
    table = image.table
  }

  var hasDebugInfo: Bool { !table.functions.isEmpty }

  func frames(at address: UInt64) -> [SourceFrame] {
    let own = address >= base ? ownFrames(at: address - base) : []
    return own.isEmpty ? other?.frames(at: address) ?? [] : own
  }

  private func ownFrames(at address: UInt64) -> [SourceFrame] {
    let position = table.functions.position(behind: address) { $0.address }
    guard position > 0, table.functions[position - 1].end > address else {
      return symbolFrame(at: address, behind: position > 0 ? table.functions[position - 1].end : 0)
    }
    return frames(at: address, in: position - 1)
  }

  /// The `PUBLIC` symbol that reaches to the address.
  private func symbolFrame(at address: UInt64, behind end: UInt64) -> [SourceFrame] {
    guard let symbol = symbol(at: address, behind: end) else { return [] }
    return [SourceFrame(symbol: name(symbol.name), offset: address - symbol.address)]
  }

  /// The nearest `PUBLIC` symbol before the address, unless a function lies between: the file tells no sizes.
  ///
  /// Bounds of functions that the rules for unwinding tell end a symbol too.
  func symbol(at address: UInt64, behind end: UInt64) -> BreakpadTable.Symbol? {
    let position = table.symbols.position(behind: address) { $0.address }
    guard position > 0, table.symbols[position - 1].address >= end else { return nil }
    let symbol = table.symbols[position - 1]
    // Our own writer ends a symbol by one without a name.
    guard symbol.name.length > 0 else { return nil }
    if let function = table.unwound(at: address) { return function.lowerBound <= symbol.address ? symbol : nil }
    return table.unwound(at: symbol.address).map { $0.contains(address) } ?? true ? symbol : nil
  }

  /// The address at which the answer of `symbol` may change next behind an address; nil where it does not any more.
  func symbolBound(behind address: UInt64) -> UInt64? {
    let next = table.symbols.position(behind: address) { $0.address }
    var bounds: [UInt64] = []
    if next < table.symbols.count { bounds.append(table.symbols[next].address) }
    if next > 0, let own = table.unwound(at: table.symbols[next - 1].address) { bounds.append(own.upperBound) }
    if let function = table.unwound(at: address) { bounds.append(function.upperBound) }
    let frame = table.frames.position(behind: address) { $0.address }
    if frame < table.frames.count { bounds.append(table.frames[frame].address) }
    return bounds.filter { $0 > address }.min()
  }

  private func frames(at address: UInt64, in index: Int) -> [SourceFrame] {
    let function = table.functions[index]
    let body = body(index, function)
    var frames: [SourceFrame] = []
    var frame = SourceFrame()
    let next = body.lines.position(behind: address) { $0.address }
    if next > 0, address - body.lines[next - 1].address < body.lines[next - 1].size {
      place(&frame, body.lines[next - 1].file, body.lines[next - 1].line)
    }
    for call in body.calls(at: address) {
      frame.symbol = table.origins[call.origin].flatMap(name)
      frame.isInlined = true
      frames.append(frame)
      frame = SourceFrame()
      place(&frame, call.file, call.line)
    }
    frame.symbol = name(function.name)
    if frame.file == nil { frame.offset = address - function.address }
    frames.append(frame)
    return frames
  }

  private func name(_ span: BreakpadFields.Span) -> String? {
    span.length == 0 ? nil : image.bytes.text(span)
  }

  /// A line counts only where its file is known.
  private func place(_ frame: inout SourceFrame, _ file: UInt32, _ line: UInt32) {
    guard let path = table.files[file].flatMap(name) else { return }
    frame.file = path
    frame.line = line == 0 ? nil : Int(line)
  }

  private func body(_ index: Int, _ function: BreakpadTable.Function) -> Body {
    if let known = bodies.withLock({ $0[index] }) { return known }
    let body = Body(image.bytes.buffer, function.contents)
    bodies.withLock { bodies in
      if bodies.count >= Self.mostBodies { bodies.removeAll(keepingCapacity: true) }
      bodies[index] = body
    }
    return body
  }
}

extension BreakpadLookup.Body {
  init(_ buffer: UnsafeRawBufferPointer, _ contents: Range<UInt32>) {
    var offset = Int(contents.lowerBound)
    while offset < Int(contents.upperBound) {
      let (line, next) = buffer.line(at: offset)
      offset = next
      var fields = BreakpadFields(buffer, line)
      if fields.skip("INLINE") {
        addCall(&fields)
      } else if let address = fields.hexadecimal(), let size = fields.hexadecimal(), let line = fields.decimal(),
        let file = fields.decimal()
      {
        lines.append(Line(address: address, size: size, line: line, file: file))
      }
    }
    lines.sort { $0.address < $1.address }
  }

  /// `INLINE depth line file origin (address size)+`.
  private mutating func addCall(_ fields: inout BreakpadFields) {
    guard let depth = fields.decimal(), let line = fields.decimal(), let file = fields.decimal(),
      let origin = fields.decimal()
    else { return }
    while !fields.isAtEnd, let address = fields.hexadecimal(), let size = fields.hexadecimal() {
      let (end, overflow) = address.addingReportingOverflow(size)
      calls.append(
        Call(range: address..<(overflow ? .max : end), depth: depth, line: line, file: file, origin: origin))
    }
  }

  /// The inlined calls that an address lies in, the innermost first; one of each depth.
  func calls(at address: UInt64) -> [Call] {
    calls(at: address, among: calls.indices).map { calls[$0] }
  }

  /// The same by their places in `calls`, where those that an address may lie in are known, in rising order.
  func calls(at address: UInt64, among candidates: some Sequence<Int>) -> [Int] {
    var found: [UInt32: Int] = [:]
    for index in candidates where calls[index].range.contains(address) { found[calls[index].depth] = index }
    return found.values.sorted { calls[$0].depth > calls[$1].depth }
  }
}

extension ObjectImage {
  /// Look-ups in this image, with a debug file of whatever format: Breakpad's addresses count from the load address.
  func lookup(with debug: (any ObjectImage)?, companions: DebugCompanions) -> any FrameLookup {
    if let symbols = debug as? BreakpadImage, !(self is BreakpadImage) {
      return BreakpadLookup(symbols, base: loadAddress, other: frameLookup(debug: nil, companions: .none))
    }
    return frameLookup(debug: debug, companions: companions)
  }
}

import MPaaSSupport
import Synchronization

/// Answers addresses of a linked image from the DWARF of the object files that it was linked from.
///
/// Each object file is opened when the first address falls into one of its functions, and kept. An address is moved by
/// the distance of the function in the image from the function in the object file.
final class DebugMapLookup: FrameLookup {
  private let map: DebugMap
  private let code: CodeRanges
  private let open: @Sendable (LinkedObject) -> (any ObjectImage)?
  private let symbol: @Sendable (UInt64) -> SymbolMatch?

  /// An object file's DWARF and the places of its symbols.
  private struct Opened: Sendable {
    let lookup: AddressLookup
    let addresses: [[UInt8]: UInt64]
  }

  private let opened: Mutex<[Int: Opened?]> = Mutex([:])

  init(
    _ map: DebugMap, code: [Range<UInt64>], open: @escaping @Sendable (LinkedObject) -> (any ObjectImage)?,
    symbol: @escaping @Sendable (UInt64) -> SymbolMatch?
  ) {
    self.map = map
    self.code = CodeRanges(code)
    self.open = open
    self.symbol = symbol
  }

  /// The object files may be missing one by one; each look-up tells for itself.
  var hasDebugInfo: Bool { !map.functions.isEmpty }

  func frames(at address: UInt64) -> [SourceFrame] {
    guard let function = map.function(at: address), let object = object(function.object),
      let name = map.strings.buffer.cString(at: UInt64(function.name)), let start = object.addresses[Array(name)]
    else { return symbolFrame(at: address) }
    var frames = object.lookup.frames(at: start &+ (address - function.address))
    guard !frames.isEmpty else { return symbolFrame(at: address) }
    if frames[frames.count - 1].symbol == nil { frames[frames.count - 1].symbol = symbol(address)?.name }
    return frames
  }

  private func symbolFrame(at address: UInt64) -> [SourceFrame] {
    guard code.mayHold(address), let match = symbol(address) else { return [] }
    return [SourceFrame(symbol: match.name, offset: match.offset)]
  }

  private func object(_ index: Int) -> Opened? {
    if let known = opened.withLock({ $0[index] }) { return known }
    let made = (open(map.objects[index]) as? MachOImage).map { image in
      var addresses: [[UInt8]: UInt64] = [:]
      let strings = image.symbolStrings
      image.forEachNlist { symbol in
        guard symbol.isDefined else { return }
        addresses[Array(image.symbolString(strings, symbol.name))] = symbol.value
      }
      let lookup = AddressLookup(image.hasDebugInfo ? image.dwarfSections : nil, code: image.executableRanges)
      return Opened(lookup: lookup, addresses: addresses)
    }
    return opened.withLock { opened in
      if let other = opened[index] { return other }
      opened[index] = .some(made)
      return made
    }
  }
}

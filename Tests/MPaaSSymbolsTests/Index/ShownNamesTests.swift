import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("Shown names") struct ShownNamesTests {
  private static let symbols = [
    "$s4main3fooyySi_SStF", "_ZN9OrderBook5matchEv", "_TFC3app4View3tapfT5timesSi_T_", "_RNvC6_123foo3bar", "main",
    "_start", "$s", "_Z" + String(repeating: "1", count: 300),
  ]

  /// The names of symbols that stand at rising offsets, asked for in the order of `places`.
  private static func shown(_ places: [Int], _ mode: Demangler.Mode, mostBytes: Int) -> [String] {
    var names = ShownNames(Demangler(mode: mode), mostBytes: mostBytes)
    return places.map { place in
      var symbol = symbols[place % symbols.count]
      return symbol.withUTF8 { String(utf8: names.shown(UnsafeRawBufferPointer($0), UInt32(place + 1))) }
    }
  }

  @Test(
    "are those of the demangler, with memory for all of them, few, and none",
    arguments: Demangler.Mode.allCases, [1 << 26, 1 << 12, 64, 0])
  func equal(_ mode: Demangler.Mode, _ mostBytes: Int) {
    var random = SeededRandom(seed: 21)
    let places = (0..<40_000).map { _ in Int.random(in: 0..<20_000, using: &random) }
    let demangler = Demangler(mode: mode)
    let names = Self.symbols.map(demangler.demangle)
    #expect(Self.shown(places, mode, mostBytes: mostBytes) == places.map { names[$0 % names.count] })
  }

  @Test("are the same for a text as for a name of an index")
  func texts() {
    var names = ShownNames(Demangler())
    for symbol in Self.symbols + Self.symbols {
      let shown = names.shown(symbol)
      #expect(shown == Demangler().demangle(symbol))
    }
  }

  @Test("are known once they were shown, and only those that are mangled")
  func known() {
    var names = ShownNames(Demangler())
    for (index, symbol) in Self.symbols.enumerated() {
      let offset = UInt32(index + 1)
      #expect(names.known(offset) == nil)
      var symbol = symbol
      let shown = symbol.withUTF8 { String(utf8: names.shown(UnsafeRawBufferPointer($0), offset)) }
      #expect(names.known(offset).map { String(utf8: $0) } == (symbol == "main" ? nil : shown))
    }
  }

  @Test("are found again by their offsets, whatever these are")
  func places() {
    var random = SeededRandom(seed: 22)
    var places = PlacesByOffset()
    var known: [UInt32: UInt32] = [:]
    for place in 0..<UInt32(30_000) {
      let offset = UInt32.random(in: 1 ... .max, using: &random) & (place % 2 == 0 ? .max : ~0xfff)
      guard offset != 0, known[offset] == nil else { continue }
      #expect(places[offset] == nil)
      places.insert(offset, place: place)
      known[offset] = place
    }
    #expect(places.count == known.count)
    for (offset, place) in known { #expect(places[offset] == place) }
    places.removeAll()
    #expect(known.keys.allSatisfy { places[$0] == nil })
  }
}

import MPaaSSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Goes through a profile's JSON once, and says where it is not what it should be.
struct JSONCursor {
  private var skim: JSONSkim
  private let file: String

  init(_ bytes: UnsafeRawBufferPointer, file: String) {
    skim = JSONSkim(bytes, isStrict: true)
    self.file = file
  }

  var offset: Int {
    get { skim.offset }
    set { skim.offset = newValue }
  }

  /// The place of a byte as line and column.
  func place(_ offset: Int) -> Place {
    let before = skim.bytes[..<min(offset, skim.bytes.count)]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    return .text(file: file, line: line, column: before.count - start + 1)
  }

  private var malformed: ProfileError { ProfileError(.notJSON, ["file": file], at: place(skim.offset)) }

  /// The error of a member that is missing or has a value that it cannot have.
  func bad(_ member: String, at offset: Int? = nil) -> ProfileError {
    ProfileError(.badMember, ["file": file, "member": member], at: place(offset ?? skim.offset))
  }

  func error(_ code: ProfileError.Code, _ values: [String: String] = [:]) -> ProfileError {
    ProfileError(code, values.merging(["file": file]) { $1 }, at: place(skim.offset))
  }

  /// The byte that is next, behind white space; 0 at the end.
  @inline(__always)
  mutating func next() -> UInt8 {
    skipSpace()
    return skim.offset < skim.bytes.count ? skim.bytes[skim.offset] : 0
  }

  // Files have a million values and hardly any white space: what is common is done without a call.

  @inline(__always)
  private mutating func skipSpace() {
    if skim.offset < skim.bytes.count, skim.bytes[skim.offset] > 0x20 { return }
    skim.skipSpace()
  }

  /// Goes past a byte where it is next.
  @inline(__always)
  private mutating func takeNext(_ byte: UInt8) -> Bool {
    guard skim.offset < skim.bytes.count, skim.bytes[skim.offset] == byte else { return false }
    skim.offset += 1
    return true
  }

  /// Goes through the object that is next; `body` gets the bytes of each name, and must go past its value.
  @inline(__always)
  mutating func object(
    _ member: String, _ body: (Name, inout JSONCursor) throws(ProfileError) -> Void
  ) throws(ProfileError) {
    guard next() == UInt8(ascii: "{") else { throw bad(member) }
    skim.offset += 1
    skipSpace()
    if takeNext(UInt8(ascii: "}")) { return }
    while true {
      skipSpace()
      guard let name = skim.stringRange() else { throw malformed }
      skipSpace()
      guard takeNext(UInt8(ascii: ":")) else { throw malformed }
      skipSpace()
      try body(Name(range: name), &self)
      skipSpace()
      if takeNext(UInt8(ascii: "}")) { return }
      guard takeNext(UInt8(ascii: ",")) else { throw malformed }
    }
  }

  /// Goes through the array that is next; `body` must go past each element.
  @inline(__always)
  mutating func array(
    _ member: String, _ body: (Int, inout JSONCursor) throws(ProfileError) -> Void
  ) throws(ProfileError) {
    guard next() == UInt8(ascii: "[") else { throw bad(member) }
    skim.offset += 1
    skipSpace()
    if takeNext(UInt8(ascii: "]")) { return }
    var index = 0
    while true {
      skipSpace()
      try body(index, &self)
      index += 1
      skipSpace()
      if takeNext(UInt8(ascii: "]")) { return }
      guard takeNext(UInt8(ascii: ",")) else { throw malformed }
    }
  }

  /// The bytes from here up to the next closing bracket, with it; nil where there is none.
  @inline(__always)
  func bytesToBracket() -> UnsafeRawBufferPointer? {
    skim.bytes.place(of: UInt8(ascii: "]"), from: skim.offset).map { skim.bytes.part(skim.offset..<$0 + 1) }
  }

  /// Goes past a byte where it is next, behind white space.
  @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    return takeNext(byte)
  }

  /// Goes past a byte that must be next, behind white space.
  mutating func expect(_ byte: UInt8) throws(ProfileError) {
    guard take(byte) else { throw malformed }
  }

  /// The name of the member that is next, with its colon.
  mutating func name() throws(ProfileError) -> Name {
    skim.skipSpace()
    guard let name = skim.stringRange() else { throw malformed }
    try expect(UInt8(ascii: ":"))
    skim.skipSpace()
    return Name(range: name)
  }

  /// Goes past any value.
  mutating func skip() throws(ProfileError) {
    guard skim.skip() else { throw malformed }
  }

  /// Goes to the end, where nothing may stand.
  mutating func end() throws(ProfileError) {
    guard skim.isAtEnd() else { throw malformed }
  }

  /// The name of a member, as it stands between its quotation marks.
  struct Name {
    fileprivate let range: Range<Int>
  }

  @inline(__always)
  func isName(_ name: Name, _ text: StaticString) -> Bool {
    guard name.range.count == text.utf8CodeUnitCount, let base = skim.bytes.baseAddress else { return false }
    return memcmp(base + name.range.lowerBound, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  /// The string that a name stands for.
  func text(_ name: Name) -> String { skim.text(name.range) ?? "" }

  mutating func string(_ member: String) throws(ProfileError) -> String {
    skim.skipSpace()
    let start = skim.offset
    guard skim.next == UInt8(ascii: "\"") else { throw bad(member) }
    guard let range = skim.stringRange() else { throw malformed }
    guard let text = skim.text(range) else { throw bad(member, at: start) }
    return text
  }

  /// The number of the string that is next in a table of strings.
  mutating func string(_ member: String, in profile: inout Profile) throws(ProfileError) -> Int {
    skim.skipSpace()
    let start = skim.offset
    guard skim.next == UInt8(ascii: "\"") else { throw bad(member) }
    guard let range = skim.stringRange() else { throw malformed }
    let part = UnsafeRawBufferPointer(rebasing: skim.bytes[range])
    if !part.contains(UInt8(ascii: "\\")) { return profile.string(part) }
    guard var text = skim.text(range) else { throw bad(member, at: start) }
    return text.withUTF8 { profile.string(UnsafeRawBufferPointer($0)) }
  }

  mutating func bool(_ member: String) throws(ProfileError) -> Bool {
    let start = skim.offset
    let first = next()
    guard first == UInt8(ascii: "t") || first == UInt8(ascii: "f") else { throw bad(member, at: start) }
    try skip()
    return first == UInt8(ascii: "t")
  }

  /// A whole number from 0 below `limit`.
  @inline(__always)
  mutating func index(_ member: String, below limit: Int) throws(ProfileError) -> Int {
    skim.skipSpace()
    let start = skim.offset
    guard let value = skim.unsigned(), value < UInt64(max(limit, 0)) else { throw bad(member, at: start) }
    return Int(value)
  }

  /// A number times ten to the power of `scale`, rounded to the nearest whole number.
  @inline(__always)
  mutating func decimal(_ member: String, scale: Int = 0) throws(ProfileError) -> Int64 {
    skipSpace()
    if let (value, end) = DecimalText.short(skim.bytes, from: skim.offset, by: scale) {
      skim.offset = end
      return value
    }
    return try anyDecimal(member, scale: scale)
  }

  private mutating func anyDecimal(_ member: String, scale: Int) throws(ProfileError) -> Int64 {
    let start = skim.offset
    guard skim.next == UInt8(ascii: "-") || skim.next &- 0x30 < 10 else { throw bad(member) }
    try skip()
    let part = UnsafeRawBufferPointer(rebasing: skim.bytes[start..<skim.offset])
    guard let value = DecimalText.scaled(part, by: scale) else { throw bad(member, at: start) }
    return value
  }

  /// A whole number, or a string of one, as identifiers of threads and processes are written.
  mutating func identifier(_ member: String) throws(ProfileError) -> Int64 {
    guard next() == UInt8(ascii: "\"") else { return try decimal(member) }
    let start = skim.offset
    guard let value = Int64(try string(member)) else { throw bad(member, at: start) }
    return value
  }
}

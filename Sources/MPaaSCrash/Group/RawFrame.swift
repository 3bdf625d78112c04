import MPaaSCrashReport
import MPaaSSupport

/// A frame object of an .ips file, as far as grouping needs it.
struct RawFrame {
  var image: Int?
  private var offset: UInt64 = 0
  private var function: String?
  private var symbol: String?
  private var file: String?
  private var line: Int?
  private var isInlined = false
  /// Tells whether the function around the inlined call is not known.
  private var isLast = false

  /// Reads an array of frames; false where it is none.
  static func read(_ skim: inout JSONSkim, into frames: inout [RawFrame]) -> Bool {
    var all: [RawFrame] = []
    let isWhole = skim.array { _, skim in
      var frame = RawFrame()
      guard frame.read(&skim) else { return false }
      all.append(frame)
      return true
    }
    frames = all
    return isWhole
  }

  private mutating func read(_ skim: inout JSONSkim) -> Bool {
    var copy = self
    let isWhole = skim.object { name, skim in
      if skim.isName(name, "imageIndex") {
        guard let index = skim.unsigned() else { return false }
        copy.image = Int(exactly: index)
        return true
      }
      if skim.isName(name, "imageOffset") {
        guard let offset = skim.unsigned() else { return false }
        copy.offset = offset
        return true
      }
      if skim.isName(name, "symbol") {
        copy.function = skim.string()
        return copy.function != nil
      }
      if skim.isName(name, "sourceFile") {
        copy.file = skim.string()
        return copy.file != nil
      }
      if skim.isName(name, "sourceLine"), let line = skim.unsigned().flatMap(Int.init(exactly:)) {
        copy.line = line
        return true
      }
      if skim.isName(name, "inline") { copy.isInlined = skim.next == UInt8(ascii: "t") }
      if skim.isName(name, "mpaas") {
        guard let own = skim.value()?.object else { return false }
        copy.symbol = own["symbol"]?.string
        copy.isLast = own["last"] != nil
        return true
      }
      return skim.skip()
    }
    self = copy
    return isWhole
  }

  /// Frames of the model, inlined calls and the function around them being one.
  static func joined(_ raw: [RawFrame], _ places: [Int: Int]) -> [CrashReport.Frame] {
    var frames: [CrashReport.Frame] = []
    frames.reserveCapacity(raw.count)
    var index = 0
    while index < raw.count {
      var frame = CrashReport.Frame(address: raw[index].offset)
      frame.image = raw[index].image.flatMap { places[$0] }
      while true {
        let object = raw[index]
        index += 1
        if let function = object.function {
          var call = CrashReport.Call(function: function)
          call.symbol = object.symbol
          call.file = object.file
          call.line = object.line
          frame.calls.append(call)
        }
        guard object.isInlined, !object.isLast, index < raw.count, raw[index].image == object.image,
          raw[index].offset == object.offset
        else { break }
      }
      frames.append(frame)
    }
    return frames
  }
}

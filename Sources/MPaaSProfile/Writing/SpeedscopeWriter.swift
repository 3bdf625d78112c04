import MPaaSSupport

/// A file of speedscope: a sampled profile for each thread and each sample type, the one that is shown first.
enum SpeedscopeWriter {
  /// - Throws: `profile-too-large`.
  static func bytes(_ profile: Profile) throws(ProfileError) -> [UInt8] {
    var text = TextBytes()
    text.text(
      #"{"$schema":"https://www.speedscope.app/file-format-schema.json","version":"0.0.1","exporter":"mpaas","name":"#)
    text.quoted(profile.name)
    text.text(#","activeProfileIndex":0,"shared":{"frames":"#)
    text.list(0..<profile.frames.count) { frame, text in
      let function = Int(profile.frames.functions[frame])
      text.text(#"{"name":"#)
      text.quoted(profile.name(ofFunction: function))
      let file = Int(profile.functions.files[function])
      if file > 0 {
        text.text(#","file":"#)
        text.quoted(profile.strings[file])
      }
      let line = max(profile.frames.lines[frame], 0)
      let shown = line > 0 ? line : max(profile.functions.lines[function], 0)
      if shown > 0 {
        text.text(#","line":"#)
        text.number(Int64(shown))
      }
      text.byte(UInt8(ascii: "}"))
    }
    text.text(#"},"profiles":["#)
    var known = StackTexts(profile)
    var isFirst = true
    for type in profile.typesInOrder {
      for thread in profile.threads {
        if !isFirst { text.byte(UInt8(ascii: ",")) }
        isFirst = false
        try append(thread, profile, type, &known, to: &text)
      }
    }
    text.text("]}\n")
    return text.bytes
  }

  private static func append(
    _ thread: ProfileThread, _ profile: Profile, _ type: Int, _ known: inout StackTexts, to text: inout TextBytes
  ) throws(ProfileError) {
    let unit = profile.types[type].unit
    text.text(#"{"type":"sampled","name":"#)
    text.quoted(thread.title.isEmpty ? profile.name : thread.title)
    text.text(#","unit":"#)
    text.quoted(unit == .nanoseconds ? "nanoseconds" : unit == .bytes ? "bytes" : "none")
    text.text(#","startValue":0,"endValue":"#)
    text.number(thread.total(of: type, of: profile.types.count))
    text.text(#","samples":["#)
    for sample in 0..<thread.count {
      if sample > 0 { text.byte(UInt8(ascii: ",")) }
      known.append(Int(thread.stacks[sample]), profile, to: &text)
      guard text.bytes.count < TextBytes.most else { throw ProfileError(.tooLarge, ["format": "speedscope"]) }
    }
    text.text(#"],"weights":"#)
    text.list(0..<thread.count) { sample, text in
      text.number(thread.weights[sample &* profile.types.count &+ type])
    }
    text.byte(UInt8(ascii: "}"))
  }

  /// Lists of frames as they were written before: most samples have a stack that came already.
  private struct StackTexts {
    private var ranges: [Range<Int>?]
    private var texts = TextBytes()

    init(_ profile: Profile) {
      ranges = [Range<Int>?](repeating: nil, count: profile.stacks.count)
    }

    mutating func append(_ stack: Int, _ profile: Profile, to text: inout TextBytes) {
      guard stack >= 0 else { return text.text("[]") }
      let range: Range<Int>
      if let known = ranges[stack] {
        range = known
      } else {
        let start = texts.bytes.count
        var frames: [Int32] = []
        var next = stack
        while next >= 0 {
          frames.append(profile.stacks.frames[next])
          next = Int(profile.stacks.prefixes[next])
        }
        texts.list(frames.reversed()) { $1.number(Int64($0)) }
        range = start..<texts.bytes.count
        ranges[stack] = range
      }
      text.append(texts.bytes[range])
    }
  }
}

extension Profile {
  /// The places of the sample types, that which is shown first.
  var typesInOrder: [Int] { [shown] + types.indices.filter { $0 != shown } }
}

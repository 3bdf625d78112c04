import MPaaSSupport

/// Collapsed stacks: equal ones are put together.
///
/// Where there is more than one thread, its title is the outermost name.
enum CollapsedWriter {
  /// - Throws: `profile-too-large`.
  static func bytes(_ profile: Profile) throws(ProfileError) -> [UInt8] {
    var text = TextBytes()
    let names = names(profile)
    let isOne = profile.threads.count <= 1
    for thread in profile.threads {
      var sums = StackSums(profile)
      sums.add(thread, profile.shown, of: profile.types.count)
      let head = isOne ? [] : clean(thread.title) + [UInt8(ascii: ";")]
      for (stack, weight) in sums.sums {
        guard text.bytes.count < TextBytes.most else { throw ProfileError(.tooLarge, ["format": "collapsed"]) }
        text.append(head)
        var frames: [Int] = []
        var next = stack
        while next >= 0 {
          frames.append(Int(profile.stacks.frames[next]))
          next = Int(profile.stacks.prefixes[next])
        }
        for (index, frame) in frames.reversed().enumerated() {
          if index > 0 { text.byte(UInt8(ascii: ";")) }
          text.append(names[Int(profile.frames.functions[frame])])
        }
        if frames.isEmpty { text.text("[no stack]") }
        text.byte(0x20)
        text.number(weight)
        text.byte(0x0a)
      }
    }
    return text.bytes
  }

  private static func names(_ profile: Profile) -> [[UInt8]] {
    (0..<profile.functions.count).map { clean(profile.name(ofFunction: $0)) }
  }

  /// A name without what would end it: semicolons become colons, line ends blanks.
  private static func clean(_ name: String) -> [UInt8] {
    let bytes = name.utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: ";"): UInt8(ascii: ":")
      case 0..<0x20: 0x20
      default: byte
      }
    }
    return bytes.isEmpty ? Array("[unknown]".utf8) : bytes
  }
}

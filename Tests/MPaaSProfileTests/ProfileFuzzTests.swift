import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProfile

@Suite("Broken profiles") struct ProfileFuzzTests {
  private static func originals() throws -> [[UInt8]] {
    let profile = Profile.sample()
    let texts = [
      #"[{"ph":"X","name":"o","ts":0,"dur":10,"pid":1,"tid":"t"},{"ph":"B","name":"p","ts":1},{"ph":"E","ts":4}]"#,
      #"{"shared":{"frames":[{"name":"a"}]},"profiles":[{"type":"evented","unit":"seconds","endValue":9,"#
        + #""events":[{"type":"O","frame":0,"at":0},{"type":"C","frame":0,"at":6.5}]}]}"#,
      "app  1/2  [001]  8.456789:  25 cycles:u: \n\t 55 f+0x1 (/a)\n\t 56 g (b)\n\napp 1 9.1: cycles: \n\t 55 f (/a)\n\n",
      #"{"hangDiagnostics":[{"callStackTree":{"callStacks":[{"callStackRootFrames":[{"binaryName":"A","sampleCount":3,"#
        + #""subFrames":[{"binaryUUID":"B","address":9,"offsetIntoBinaryTextSegment":10,"sampleCount":2}]}]}]}}]}"#,
      #"{"timeRange":{},"environment":{},"hang":{"hangDuration":{"value":1.5,"unit":"s"},"callStackTree":{"binaryInfo":"#
        + #"["U",{"uuid":"U","name":"A"}],"callStackThreads":[{"rootFrames":[{"binaryUUID":"u","sampleCount":2}]}]}}}"#,
      #"{"productData":[{"diagnosticLogs":[{"diagnosticMetaData":{"event":"hang"},"callStackTree":[{"callStacks":"#
        + #"[{"callStackRootFrames":[{"symbolName":"f","address":"16","sampleCount":2}]}]}]}]}]}"#,
      "main;a;b 12\nmain 9223372036854775807\nmain;a 3\n",
    ]
    return try texts.map { Array($0.utf8) } + [
      PprofWriter.bytes(profile), ProfileOutput.pprof.bytes(profile), ProfileOutput.speedscope.bytes(profile),
      ProfileOutput.chrome.bytes(profile),
    ]
  }

  @Test("are refused with a typed error, or read, summed, drawn and written; nothing stops the program")
  func mutations() throws {
    var random = SeededRandom(seed: 29)
    for original in try Self.originals() {
      for _ in 0..<SeededRandom.rounds(or: 200) {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &random) where bytes.count > 1 {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<5, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.remove(at: place)
          case 2: bytes.insert(contentsOf: bytes[place..<min(place + 40, bytes.count)], at: place)
          case 3: bytes.insert(contentsOf: "99999999999999999".utf8, at: place)
          default: bytes.removeSubrange(place..<min(place + Int.random(in: 1...60, using: &random), bytes.count))
          }
        }
        for format in [nil] + ProfileFormat.allCases.map(Optional.some) { try use(bytes, format) }
      }
    }
  }

  /// Reads bytes as a format, and does all that commands do with a profile.
  private func use(_ bytes: [UInt8], _ format: ProfileFormat?) throws {
    let profile: Profile
    do {
      profile = try bytes.withUnsafeBytes { try Profile(reading: $0, file: "f", as: format) }
    } catch is ProfileError {
      return
    }
    for order in [CallTree.Order.topDown, .bottomUp] {
      _ = CallTree(profile, order, byThread: true).lines(least: 0.01)
    }
    _ = FunctionTotals(CallTree(profile)).hottest(3, in: profile)
    _ = try ProfileDifference(from: profile, to: profile, comparesShares: true)
    for output in ProfileOutput.allCases {
      do throws(ProfileError) { _ = try output.bytes(profile) } catch {}
    }
  }

  @Test("have numbers that are the same read in short and in full")
  func decimals() {
    var random = SeededRandom(seed: 31)
    var short = 0
    for _ in 0..<20_000 {
      let length = Int.random(in: 1...18, using: &random)
      let text = String((0..<length).map { _ in "0123456789.-e".randomElement(using: &random) ?? "0" }) + ","
      let scale = [0, 3, 6, 9].randomElement(using: &random) ?? 0
      let bytes = Array(text.utf8)
      bytes.withUnsafeBytes { bytes in
        guard let (value, end) = DecimalText.short(bytes, from: 0, by: scale) else { return }
        short += 1
        #expect(end == length)
        #expect(DecimalText.scaled(UnsafeRawBufferPointer(rebasing: bytes[..<length]), by: scale) == value, "\(text)")
      }
    }
    #expect(short > 1000)
    for text in ["01,", "1.,", ".5,", "-1,", "1", "1 ,", "1e3,", "00,"] {
      Array(text.utf8).withUnsafeBytes { #expect(DecimalText.short($0, from: 0, by: 3) == nil, "\(text)") }
    }
  }
}

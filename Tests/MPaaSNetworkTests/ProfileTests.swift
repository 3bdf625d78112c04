import MPaaSNetwork
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Profiles") struct ProfileTests {
  @Test("every built-in profile has a name of its own, a title, a source and conditions")
  func builtIn() throws {
    let profiles = ProfileCatalogue.builtIn.profiles
    #expect(Set(profiles.map(\.name)).count == profiles.count)
    for profile in profiles {
      #expect(!profile.title.isEmpty, "\(profile.name)")
      #expect(!profile.source.isEmpty, "\(profile.name)")
      #expect(!profile.toxics.isEmpty, "\(profile.name)")
      #expect(Set(profile.toxics.map(\.name)).count == profile.toxics.count, "\(profile.name)")
      #expect(try NetworkProfile.named(profile.name) == profile)
    }
  }

  @Test("3g is what Augmented Traffic Control says: 780/330 kbit/s, 100 ms each way, shared by all connections")
  func numbers() throws {
    let profile = try NetworkProfile.named("3G")
    #expect(
      profile.downstream == [
        .bandwidth(Bandwidth(bitsPerSecond: 780_000, isShared: true)), .latency(Latency(.milliseconds(100))),
      ])
    #expect(
      profile.upstream == [
        .bandwidth(Bandwidth(bitsPerSecond: 330_000, isShared: true)), .latency(Latency(.milliseconds(100))),
      ])
    #expect(try NetworkProfile.named("2G").name == "2g-urban")
  }

  @Test("a name that is nearly one is told the one it may be")
  func misspelt() throws {
    let error = #expect(throws: NetworkError.self) { try NetworkProfile.named("satelite") }
    #expect(error?.code == .profileMisspelt)
    #expect(error?.values["suggestion"] == "satellite")
    #expect(throws: NetworkError.self) { try NetworkProfile.named("zzzzzz") }
  }

  @Test("a profile of a file builds on another, whose conditions of the same kind give way")
  func file() throws {
    var catalogue = ProfileCatalogue.builtIn
    try catalogue.add(
      toml: """
        [profile.office-vpn]
        title = "The office"
        base = "lte"
        down = "latency 40ms ± 5ms normal"
        up = ["loss 1%", "http delay 1s"]
        timeline = \"\"\"
        at 10s: flight mode for 5s
        \"\"\"

        [profile.worse]
        base = "office-vpn"
        """, file: "p.toml")
    let profile = try catalogue.named("office-vpn")
    #expect(
      profile.downstream == [
        .bandwidth(Bandwidth(bitsPerSecond: 50_000_000, isShared: true)),
        .latency(Latency(.milliseconds(40), jitter: .milliseconds(5), distribution: .normal)),
      ])
    #expect(profile.upstream.contains(.loss(Loss(0.01))))
    #expect(profile.upstream.contains(.httpDelay(HTTPDelay(.seconds(1)))))
    #expect(profile.timeline?.steps.count == 1)
    #expect(profile.source == "p.toml")
    #expect(try catalogue.named("worse").downstream == profile.downstream)
    #expect(profile.played.steps.count == 2)
  }

  @Test(
    "what is wrong in a file is told with its line",
    arguments: [
      ("[profile.a]\ndown = \"latency 3\"\n", 2, "net-quantity-malformed"),
      ("[profile.a]\ntitle = 3\n", 2, "net-profile-value"),
      ("[profile.a]\ncolour = \"red\"\n", 2, "net-profile-key-unknown"),
      ("\n[profile.A]\n", 2, "net-profile-name"), ("x = 1\n", 1, "net-profile-key-unknown"),
      ("[profile.a]\nbase = \"gg3\"\n", 2, "net-profile-"), ("[profile.a\n", 1, "net-toml-malformed"),
      ("[profile.a]\ntimeline = \"\"\"\nat 1s: flight mode\nat 2s flight mode\n\"\"\"\n", 4, "net-timeline-syntax"),
    ])
  func wrong(_ text: String, _ line: Int, _ word: String) throws {
    var catalogue = ProfileCatalogue.builtIn
    let error = #expect(throws: NetworkError.self) { try catalogue.add(toml: text, file: "p.toml") }
    #expect(error?.code.word.hasPrefix(word) == true, "\(String(describing: error))")
    guard case .text("p.toml", line, _)? = error?.place else {
      Issue.record("\(String(describing: error?.place))")
      return
    }
  }

  @Test("mutated files of profiles are read or refused")
  func fuzz() {
    let text =
      "[profile.a]\nbase = \"lte\"\ndown = [\"latency 40ms ± 5ms\", \"loss 1%\"]\ntimeline = \"at 1s: loss 2%\"\n"
    var random = SeededRandom(seed: 5)
    for _ in 0..<SeededRandom.rounds(or: 300) {
      var catalogue = ProfileCatalogue.builtIn
      try? catalogue.add(toml: Mutation.of(text, using: &random), file: "p.toml")
    }
  }
}

/// A text with something wrong in it.
enum Mutation {
  static func of(_ text: String, using random: inout SeededRandom) -> String {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.remove(at: place)
      case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 2: bytes.insert(Array("\"±:,9 \n%m".utf8).randomElement(using: &random) ?? 0, at: place)
      default: bytes.removeSubrange(place..<min(place + 8, bytes.count))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

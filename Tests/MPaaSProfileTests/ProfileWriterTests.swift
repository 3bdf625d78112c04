import MPaaSSupport
import Testing

@testable import MPaaSProfile

@Suite("The writers of profiles") struct ProfileWriterTests {
  @Test("of pprof keep everything: threads, states, times, types, addresses, images, lines")
  func pprof() throws {
    let profile = Profile.sample()
    let bytes = try ProfileOutput.pprof.bytes(profile)
    #expect(bytes.starts(with: [0x1f, 0x8b]))
    let read = try Profile(bytes: bytes)
    #expect(read.types == profile.types && read.shown == profile.shown)
    #expect(read.period == profile.period && read.start == profile.start)
    for type in profile.types.indices { #expect(read.weights(type: type) == profile.weights(type: type)) }
    for (one, other) in zip(read.threads, profile.threads) {
      #expect(one.title == other.title && one.process == other.process && one.processName == other.processName)
      #expect(one.times.sorted() == other.times.sorted())
      #expect(one.states.filter { $0 == .offCPU }.count == other.states.filter { $0 == .offCPU }.count)
    }
    #expect(Set(read.frames.addresses) == Set(profile.frames.addresses))
    #expect(read.images == profile.images)
    #expect(Set(read.functions.lines) == Set(profile.functions.lines))
  }

  @Test("of speedscope have a profile for each thread and type, with weights as they are")
  func speedscope() throws {
    let profile = Profile.sample()
    let read = try Profile(bytes: try ProfileOutput.speedscope.bytes(profile))
    #expect(read.threads.count == 4)
    #expect(Array(read.weights(type: 0)[..<2]) == profile.weights(type: 1))
    #expect(Array(read.weights(type: 1)[2...]) == profile.weights(type: 0))
  }

  @Test("of trace events make samples last as long as they weigh")
  func chrome() throws {
    let profile = Profile.sample()
    let read = try Profile(bytes: try ProfileOutput.chrome.bytes(profile))
    #expect(read.weights() == profile.weights())
    var counts = profile
    counts.shown = 0
    let scaled = try Profile(bytes: try ProfileOutput.chrome.bytes(counts))
    #expect(scaled.weights() == counts.weights().map { $0.mapValues { $0 * 1000 } })
  }

  @Test("of trace events leave the time between samples idle where times tell it")
  func gaps() throws {
    var profile = Profile(name: "t", types: [.wall])
    let stack = profile.stack(on: nil, frame: profile.frame(profile.function("f")))
    let thread = profile.addThread(ProfileThread(name: "main", id: 1, process: 1))
    profile.threads[thread].append(stack: stack, weight: 10, time: 0)
    profile.threads[thread].append(stack: stack, weight: 5, time: 1000)
    let read = try Profile(bytes: try ProfileOutput.chrome.bytes(profile))
    #expect(read.weights() == [["f": 15]])
    #expect(read.threads[0].times == [0, 1000])
  }

  @Test("of collapsed stacks put equal stacks together, below the title of their thread")
  func collapsed() throws {
    let profile = Profile.sample()
    let text = String(decoding: try ProfileOutput.collapsed.bytes(profile), as: UTF8.self)
    #expect(text.contains("worker [72];main;load(\"ü\": <T>) 7\n"))
    let read = try Profile(text: text)
    #expect(read.total == profile.total)
    #expect(read.sampleCount == 6)
    let one = try Profile(text: "a;b 5\na 1\na;b 2\n")
    #expect(try ProfileOutput.collapsed.bytes(one) == Array("a;b 7\na 1\n".utf8))
  }

  @Test("refuse weights below 0 where they last as time, and keep them elsewhere")
  func negative() throws {
    var profile = Profile(name: "d")
    let stack = profile.stack(on: nil, frame: profile.frame(profile.function("f")))
    profile.threads = [ProfileThread()]
    profile.threads[0].append(stack: stack, weight: -5)
    #expect(throws: ProfileError.self) { try ProfileOutput.chrome.bytes(profile) }
    #expect(throws: ProfileError.self) { try ProfileOutput.perfetto.bytes(profile) }
    #expect(try Profile(bytes: try ProfileOutput.pprof.bytes(profile)).total == -5)
  }

  @Test("are told by the end of a file's name")
  func names() {
    let names = [
      "a.speedscope.json": ProfileOutput.speedscope, "a.json": .speedscope, "a.firefox.json": .firefox,
      "a.trace.json": .chrome, "a.pb.gz": .pprof, "a": .pprof, "a.perfetto-trace": .perfetto, "a.folded": .collapsed,
    ]
    for (name, format) in names { #expect(ProfileOutput(path: name) == format, "\(name)") }
  }
}

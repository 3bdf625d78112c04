import MPaaSProfile
import MPaaSSupport

extension Profile {
  /// A profile of a text.
  init(text: String, file: String = "f", as format: ProfileFormat? = nil) throws {
    var text = text
    self = try text.withUTF8 { try Profile(reading: UnsafeRawBufferPointer($0), file: file, as: format) }
  }

  /// A profile of what a writer made.
  init(bytes: [UInt8], file: String = "f") throws {
    self = try bytes.withUnsafeBytes { try Profile(reading: $0, file: file) }
  }

  /// Two threads of a process: times, states, two sample types, an image, a source file, recursion.
  static func sample() -> Profile {
    var profile = Profile(name: "orders", types: [.samples, .cpu])
    profile.period = 1_000_000
    profile.start = 1_700_000_000_123_456_789
    let app = profile.image(
      ProfileImage(name: "orders", path: "/usr/bin/orders", uuid: "ab12", start: 0x1000, end: 0x9000))
    func frame(_ name: String, _ address: UInt64, line: Int) -> Int {
      let function = profile.function(name, image: app, file: "Orders.swift", line: line)
      return profile.frame(function, address: address, line: line + 2)
    }
    let main = profile.stack(on: nil, frame: frame("main", 0x1010, line: 1))
    let load = profile.stack(on: main, frame: frame("load(\"ü\"; <T>)", 0x1020, line: 10))
    let again = profile.stack(on: load, frame: frame("load(\"ü\"; <T>)", 0x1024, line: 10))
    let read = profile.stack(on: again, frame: profile.frame(profile.function("read")))
    let first = profile.addThread(ProfileThread(name: "main", id: 71, process: 71, processName: "orders"))
    let second = profile.addThread(ProfileThread(name: "worker", id: 72, process: 71, processName: "orders"))
    for (time, stack) in [main, load, read, read, again].enumerated() {
      profile.threads[first].append(
        stack: stack, weights: [1, 1_000_003], time: Int64(time) * 1_000_007, state: stack == read ? .offCPU : .onCPU)
    }
    profile.threads[second].append(stack: load, weights: [2, 7], time: 5)
    profile.threads[second].append(stack: main, weights: [1, 1 << 40], time: 900)
    return profile
  }

  /// The weights by stack, outermost first, for each thread.
  func weights(type: Int? = nil) -> [[String: Int64]] {
    threads.map { thread in
      var sums: [String: Int64] = [:]
      for sample in 0..<thread.count {
        var names: [String] = []
        var stack = Int(thread.stacks[sample])
        while stack >= 0 {
          names.append(name(ofFunction: function(ofStack: stack)))
          stack = Int(stacks.prefixes[stack])
        }
        sums[names.reversed().joined(separator: "→"), default: 0] +=
          thread.weights[sample * types.count + (type ?? shown)]
      }
      return sums
    }
  }
}

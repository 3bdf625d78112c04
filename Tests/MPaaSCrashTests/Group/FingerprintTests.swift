import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

private func fingerprint(_ report: CrashReport, rules: GroupingRules = GroupingRules()) -> Fingerprint {
  var classifier = FrameClassifier(rules: rules)
  return Fingerprint(report, &classifier)
}

private func changed(_ change: (inout CrashReport) -> Void) -> CrashReport {
  var report = SampleReport.orderBook
  change(&report)
  return report
}

private func stack(_ names: [String]) -> CrashReport {
  changed { $0.threads[1].frames = names.map { SampleReport.frame(7, image: 0, SampleReport.call($0)) } }
}

@Suite("Fingerprints") struct FingerprintTests {
  @Test("another build, device, system, thread and address of the same crash is the same group")
  func variants() {
    let group = fingerprint(SampleReport.orderBook).group
    let variants: [(String, CrashReport)] = [
      (
        "moved",
        changed { report in
          for index in report.threads[1].frames.indices { report.threads[1].frames[index].address += 0x7000_0000 }
          for index in report.images.indices { report.images[index].base += 0x7000_0000 }
        }
      ),
      (
        "other build",
        changed { report in
          report.application.version = "2.0"
          report.images[0].buildID = "ffff"
          report.threads[1].frames[1].calls[1].line = 99
          report.threads[1].frames[1].address += 0x40
        }
      ),
      (
        "other system",
        changed { report in
          report.system.version = "13"
          report.images[1].path = "/usr/lib/x86_64-linux-gnu/libswiftCore.so"
        }
      ),
      ("no system symbols", changed { $0.threads[1].frames[0].calls = [] }),
      (
        "other thread",
        changed { report in
          report.threads.swapAt(0, 1)
          report.faultingThread = 0
        }
      ),
      ("other message", changed { $0.lastWords = ["libswiftCore.so": ["Fatal error: 0x1234 is not 7"]] }),
      (
        "other place of the program",
        changed { report in
          report.images[0].path = "/home/x/orderbook"
          report.process.path = "/home/x/orderbook"
        }
      ),
      (
        "trap of another processor",
        changed { report in
          report.exception?.signal = "SIGTRAP"
          report.exception?.type = "EXC_BREAKPOINT"
        }
      ),
      (
        "nothing inlined",
        changed { report in
          report.threads[1].frames.replaceSubrange(
            1...1,
            with: [
              SampleReport.frame(
                1, image: 0, SampleReport.call("Array.subscript.getter", "/src/swift/stdlib/public/core/Array.swift")),
              SampleReport.frame(2, image: 0, SampleReport.call("Ladder.level(at:)")),
              SampleReport.frame(3, image: 0, SampleReport.call("closure #1 in Matcher.match(_:)")),
              SampleReport.frame(4, image: 0, SampleReport.call("Matcher.match(_:)")),
            ])
        }
      ),
    ]
    for (name, report) in variants { #expect(fingerprint(report).group == group, "\(name)") }
  }

  @Test("another function, another kind of exception and another kind of report is another group")
  func differences() {
    let group = fingerprint(SampleReport.orderBook).group
    #expect(fingerprint(changed { $0.threads[1].frames[1].calls[1].function = "Ladder.best()" }).group != group)
    #expect(fingerprint(changed { $0.exception?.signal = "SIGSEGV" }).group != group)
    #expect(fingerprint(changed { $0.kind = .hang }).group != group)
    #expect(fingerprint(changed { $0.thrown = .init(name: "NSRangeException") }).group != group)
  }

  @Test("the exception's own backtrace counts where there is one, and its name rather than the signal")
  func thrown() {
    let thrown = changed { report in
      report.thrown = .init(name: "NSRangeException", reason: "index 7 beyond bounds")
      report.lastExceptionBacktrace = [SampleReport.frame(1, image: 0, SampleReport.call("Cart.add(_:)"))]
    }
    let other = fingerprint(
      changed { report in
        report.thrown = .init(name: "NSRangeException", reason: "index 12 beyond bounds")
        report.lastExceptionBacktrace = thrown.lastExceptionBacktrace
        report.threads[1].frames = []
        report.exception?.signal = "SIGABRT"
      })
    #expect(fingerprint(thrown).group == other.group)
    #expect(fingerprint(thrown).blamed?.name == "Cart.add")
    #expect(fingerprint(thrown).exception == "thrown NSRangeException")
  }

  @Test("recursion counts once, whole rings of calls too, and wherever a deep stack was cut")
  func recursion() {
    #expect(fingerprint(stack(["a", "a", "a", "b"])).group == fingerprint(stack(["a", "b"])).group)
    #expect(
      fingerprint(stack(["f", "g", "f", "g", "b"])).group == fingerprint(stack(["g", "f", "g", "f", "g", "b"])).group)
    let ring = (0..<400).map { ["walk", "visit", "child"][$0 % 3] }
    let cut = fingerprint(stack(["leaf"] + ring.dropFirst(2) + ["load", "main"])).group
    #expect(fingerprint(stack(ring)).group == cut)
    #expect(fingerprint(stack(["walk", "visit", "child", "load"])).group != cut)
  }

  @Test("callers count only while the names so far say too little, five calls at most, and the entry by itself alone")
  func limit() {
    let five = ["a", "b", "c", "d", "e"]
    #expect(fingerprint(stack(five + ["f", "main"])).group == fingerprint(stack(five + ["x", "y"])).group)
    #expect(fingerprint(stack(["a", "b"])).group != fingerprint(stack(["a", "c"])).group)
    #expect(fingerprint(stack(["Cart.add", "b"])).group == fingerprint(stack(["Cart.add", "c"])).group)
    #expect(fingerprint(stack(["die", "Cart.add", "b"])).group == fingerprint(stack(["die", "Cart.add", "c"])).group)
    #expect(fingerprint(stack(["die", "Cart.add"])).group != fingerprint(stack(["die", "Cart.drop"])).group)
    #expect(fingerprint(stack(["a", "main"])).group == fingerprint(stack(["a"])).group)
    #expect(fingerprint(stack(["main"])).blamed?.name == "main")
  }

  @Test("without the program's own frames the first function that is no messenger tells groups apart")
  func systemOnly() {
    func report(_ names: [String?]) -> CrashReport {
      changed { report in
        report.threads[1].frames = names.map { name in
          var frame = SampleReport.frame(7, image: 1)
          if let name { frame.calls = [SampleReport.call(name)] }
          return frame
        }
      }
    }
    let one = fingerprint(report(["abort", "deflate", "compress"]))
    #expect(one.strategy == .system)
    #expect(one.blamed?.name == "deflate")
    #expect(one.group == fingerprint(report(["raise", "abort", "deflate"])).group)
    #expect(one.group != fingerprint(report(["abort", "inflate", "compress"])).group)
  }

  @Test("below the entry alone the system's call tells, but not what hands on events, and a trap stays with the entry")
  func entryOnly() {
    func report(_ names: [String?]) -> CrashReport {
      changed { report in
        report.threads[1].frames =
          names.map { name in
            var frame = SampleReport.frame(7, image: 1)
            if let name { frame.calls = [SampleReport.call(name)] }
            return frame
          } + [SampleReport.frame(9, image: 0, SampleReport.call("main"))]
      }
    }
    let one = fingerprint(report(["-[UITableView endUpdates]", "CFRunLoopRunSpecific", "UIApplicationMain"]))
    #expect(one.blamed?.name == "-[UITableView endUpdates]")
    #expect(one.group != fingerprint(report(["-[UICollectionView reloadData]", "UIApplicationMain"])).group)
    let other = fingerprint(report(["objc_msgSend", "__CFRunLoopRun", "UIApplicationMain"]))
    #expect(other.blamed?.name == "main")
    #expect(other.group == fingerprint(report(["_assertionFailure"])).group)
    #expect(other.group == fingerprint(report([nil, nil])).group)
  }

  @Test("generic code of Swift's library and thunks in the program do not count, extensions of the program's do")
  func library() {
    func report(_ calls: [CrashReport.Call]) -> Fingerprint {
      fingerprint(changed { $0.threads[1].frames = calls.map { SampleReport.frame(7, image: 0, $0) } })
    }
    func call(_ name: String, _ file: String?) -> CrashReport.Call {
      var call = CrashReport.Call(function: name)
      call.file = file
      return call
    }
    let own = call("Cart.remove(at:)", "/src/Cart.swift")
    let inlined = [call("specialized Array.remove(at:)", "/<compiler-generated>"), call("Array.subscript.getter", nil)]
    let thunk = call("thunk for @callee_guaranteed () -> ()", nil)
    #expect(report([own]).group == report(inlined + [own, thunk]).group)
    #expect(report([call("Array.safe(at:)", "/src/Array+Safe.swift"), own]).blamed?.name == "Array.safe")
  }

  @Test("where calls lack names, the module that failed and null pointers tell more")
  func halfNamed() {
    func report(_ top: Int, address: UInt64) -> GroupID {
      fingerprint(
        changed { report in
          report.exception?.address = address
          report.threads[1].frames = [
            SampleReport.frame(1, image: top), SampleReport.frame(7, image: 0, SampleReport.call("nearest")),
            SampleReport.frame(9, image: 0),
          ]
        }
      ).group
    }
    #expect(report(1, address: 0x38) == report(1, address: 0))
    #expect(report(1, address: 0x38) != report(1, address: 0x8c6e_beb8))
    #expect(report(1, address: 0x38) != report(0, address: 0x38))
  }

  @Test("frames without names are told apart by the modules of the stack")
  func modules() {
    func report(_ images: [Int]) -> CrashReport {
      changed { $0.threads[1].frames = images.map { SampleReport.frame(UInt64($0) * 99, image: $0) } }
    }
    let one = fingerprint(report([1, 0, 0, 0, 1]))
    #expect(one.strategy == .modules)
    #expect(one.group == fingerprint(report([1, 0, 1])).group)
    #expect(one.group != fingerprint(report([0, 1])).group)
    #expect(fingerprint(changed { $0.threads = [] }).strategy == .none)
  }

  @Test("rules decide whose a frame is, what is left out, and where a stack begins")
  func rules() throws {
    let report = stack(["leaf", "check", "Cart.add", "log::write", "run"])
    // The first two of five names say too little.
    func names(_ text: String) throws -> [String?] {
      fingerprint(report, rules: try GroupingRules(text)).units.filter(\.verdict.counts).map(\.name)
    }
    #expect(try names("") == ["leaf", "check", "Cart.add"])
    #expect(try names("function:leaf -app") == ["check", "Cart.add"])
    #expect(try names("ignore function:Cart.* # noise") == ["leaf", "check", "log::write"])
    #expect(try names("sentinel function:Cart.*") == ["Cart.add"])
    #expect(try names("prefix function:Cart.*") == ["leaf", "check", "Cart.add", "log::write"])
    #expect(try names("family:native !function:Cart.add -app") == ["Cart.add"])
    #expect(try names("module:orderbook -app\nfunction:run +app") == ["run"])
    #expect(try names("exception:trap function:leaf -app").first == "check")
    #expect(try names("exception:abort function:leaf -app").first == "leaf")
  }

  @Test("merged groups are one, and split ones are told apart by what they are split by")
  func mergeAndSplit() throws {
    let (one, two) = (stack(["a"]), stack(["b"]))
    let (first, second) = (fingerprint(one).group, fingerprint(two).group)
    let merging = try GroupingRules(GroupingRules.merging([first, second], in: "# ours\n"))
    #expect(fingerprint(two, rules: merging).group == first)
    let text = GroupingRules.splitting(first, by: .version, in: "# ours")
    #expect(text == "# ours\nsplit \(first) by version\n")
    #expect(GroupingRules.splitting(first, by: .frame(2), in: text) == "# ours\nsplit \(first) by frame 2\n")
    let splitting = try GroupingRules(text)
    var other = one
    other.application.version = "9"
    #expect(fingerprint(one, rules: splitting).group != first)
    #expect(fingerprint(one, rules: splitting).group != fingerprint(other, rules: splitting).group)
    #expect(fingerprint(two, rules: splitting).group == second)
  }

  @Test("a fingerprint never moves: reports of today are in their groups of tomorrow")
  func stable() {
    #expect(fingerprint(SampleReport.orderBook).group.description == "2:b3618856c8fc03af")
  }

  @Test("any report has a fingerprint, and reading it a second time gives the same")
  func fuzz() throws {
    var random = RandomReport(seed: 404)
    for _ in 0..<SeededRandom.rounds(or: 300) {
      let report = random.report()
      let first = fingerprint(report)
      #expect(first == fingerprint(report))
      let bytes = Bytes(IPSWriter.bytes(of: report))
      let again = fingerprint(try ReportFile.read(bytes))
      #expect(first.group == again.group)
    }
  }
}

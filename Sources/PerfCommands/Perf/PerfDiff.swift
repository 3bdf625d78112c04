import ArgumentParser
import CommandKit
import MPaaSProfile
import MPaaSSupport
import MPaaSTerminal

extension PerfCommand {
  /// `mpaas perf diff BEFORE AFTER`: what got slower, and how sure that is.
  struct Diff: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("diff", key: "perf.diff") }

    @Argument(help: .text("command.perf.diff.before", valueName: "before"), completion: .file())
    var before: String

    @Argument(help: .text("command.perf.diff.after", valueName: "after"), completion: .file())
    var after: String

    @Flag(name: .long, help: .text("command.perf.diff.shares"))
    var shares = false

    @Option(name: .long, help: .text("command.perf.diff.confidence", valueName: "percent"))
    var confidence = 95.0

    @Option(
      name: .customLong("fail-if"), help: .text("command.perf.diff.fail-if", valueName: "limit"),
      completion: .list(["slower>5%", "function>5%"]))
    var failIf: [SlowdownLimit] = []

    @Flag(name: .long, help: .text("command.perf.diff.all"))
    var all = false

    @Option(name: .long, help: .text("command.perf.diff.limit", valueName: "count"))
    var limit = 20

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard confidence > 0, confidence < 100 else {
        throw ValidationError(Catalogue.current.text("text.perf-confidence-range"))
      }
      guard limit >= 0 else { throw ValidationError(Catalogue.current.text("text.perf-depth-range")) }
    }

    func run(in context: Context) async throws -> ProfileDifferenceView {
      let difference = try ProfileDifference(
        from: profile.reading(before), to: profile.reading(after), comparesShares: shares,
        confidence: confidence / 100)
      return ProfileDifferenceView(
        difference, confidence: confidence, passed: failIf.filter { $0.isPassed(by: difference) }, isWhole: all,
        limit: limit == 0 ? .max : limit)
    }
  }
}

/// A slowdown that is too much: `slower>5%` of the whole, `function>5%` of the whole by one function.
struct SlowdownLimit: ExpressibleByArgument {
  let text: String
  private let isOfWhole: Bool
  private let percent: Double

  init?(argument: String) {
    let parts = argument.split(separator: ">", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "slower" || parts[0] == "function", parts[1].last == "%",
      let percent = Double(parts[1].dropLast()), percent >= 0, percent.isFinite
    else { return nil }
    text = argument
    isOfWhole = parts[0] == "slower"
    self.percent = percent
  }

  /// Tells whether something grew by more, and surely grew.
  func isPassed(by difference: ProfileDifference) -> Bool {
    let whole = Double(max(difference.whole.before, 1))
    func isOver(_ side: ProfileDifference.Side) -> Bool {
      side.interval.low > 0 && Double(side.change) / whole * 100 > percent
    }
    return isOfWhole ? isOver(difference.whole) : difference.entries.contains { isOver($0.own) }
  }
}

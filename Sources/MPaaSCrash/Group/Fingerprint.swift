/// The basis on which a report's crash is compared, and its origin.
///
/// Version 2: the kind of report, the kind of exception, and the innermost call of the program's own code on the stack
/// that counts, by its canonical name; where that name says too little, its callers' too. Never messages, addresses,
/// lines, versions or the program's name.
///
/// The fault is in the innermost call. Who called it, and on which thread, differs with each way to it, and inlining,
/// tail calls and async functions change the outer calls most. Version 1 compared five calls.
package struct Fingerprint: Sendable, Equatable {
  /// So many calls count at most.
  package static let callLimit = 5
  /// Calls of a stack that are looked at; the outer ones of longer stacks are recursion's.
  static let longestStack = 4096
  /// So many calls in a row that repeat themselves are what the crash is about, wherever the stack was cut.
  static let deepRecursion = 50
  /// Modules that are compared where nothing of the program has a name.
  static let moduleLimit = 10

  package enum Strategy: String, Sendable, Codable {
    /// The program's own calls.
    case app
    /// The program's frames have no names: the modules of the stack. Offsets would differ with every build.
    case modules
    /// No frame is the program's: the first module and function that are not a runtime's messenger.
    case system
    /// No stack at all.
    case none
  }

  /// The reason why a call counts or does not.
  package enum Verdict: Sendable, Equatable {
    case counted
    case prefix(rule: Int)
    case runtime
    case system
    /// An address outside every image, without a name.
    case nowhere
    /// The program's entry.
    case entry
    /// It repeats calls that count.
    case recursion
    /// The recursion says it all.
    case besideRecursion
    /// Enough calls counted before.
    case pastLimit
    case ignored(rule: Int)
    case notApp(rule: Int)
    case sentinel(rule: Int)
    /// The strategy compares something else.
    case unused

    /// A word for it, and the line of the rule that decided.
    package var word: (name: String, rule: Int?) {
      switch self {
      case .counted: ("counted", nil)
      case .prefix(let rule): ("prefix", rule)
      case .runtime: ("runtime", nil)
      case .system: ("system", nil)
      case .nowhere: ("no-image", nil)
      case .entry: ("entry", nil)
      case .recursion: ("recursion", nil)
      case .besideRecursion: ("beside-recursion", nil)
      case .pastLimit: ("past-limit", nil)
      case .ignored(let rule): ("ignore", rule)
      case .notApp(let rule): ("not-app", rule)
      case .sentinel(let rule): ("sentinel", rule)
      case .unused: ("unused", nil)
      }
    }

    package var counts: Bool {
      switch self {
      case .counted, .prefix: true
      default: false
      }
    }
  }

  /// A call of the stack.
  package struct Unit: Sendable, Equatable {
    /// As `CrashReport[stack:]` counts.
    package let frame: Int
    package let call: Int?
    /// Canonical; nil without symbols.
    package let name: String?
    package let module: String
    package var verdict: Verdict
    /// Tells whether it is in the program's own file.
    package var isMain = false
  }

  /// Before rules merged or split the group.
  package let own: GroupID
  package let group: GroupID
  package let strategy: Strategy
  package let exception: String
  /// The number of the stack that counts, as `CrashReport[stack:]` counts; nil where there is none.
  package let stack: Int?
  package let units: [Unit]
  /// The word that a rule split the group by, and what this report has there.
  package let split: String?

  /// The call that the group is named by: the innermost one that counts.
  package var blamed: Unit? { units.first { $0.verdict.counts } }
}

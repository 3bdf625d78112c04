package import MPaaSSupport

/// Runs the steps of a pipeline one after another.
package struct PipelineRun: Sendable {
  /// An event of a run, in the order in which they come.
  package enum Event: Sendable, Equatable {
    /// A step begins, seconds since 1970.
    case began(PipelineStep, Int64)
    /// A line that the step printed.
    case line(String)
    /// A step that was run or passed over; seconds since 1970.
    case ended(StepOutcome, Int64)
  }

  /// The machine as a run sees it.
  package struct Effects: Sendable {
    package var shell: ShellProgram
    /// Time that has passed since some moment.
    package var elapsed: @Sendable () -> Duration
    /// Seconds since 1970.
    package var now: @Sendable () -> Int64
    /// True of a path of a file, as seen from the project's folder.
    package var isFile: @Sendable (String) -> Bool

    package init(
      shell: ShellProgram, elapsed: @escaping @Sendable () -> Duration, now: @escaping @Sendable () -> Int64,
      isFile: @escaping @Sendable (String) -> Bool
    ) {
      self.shell = shell
      self.elapsed = elapsed
      self.now = now
      self.isFile = isFile
    }
  }

  package let folder: String
  package let environment: [String: String]
  package let words: FindingWords
  package let effects: Effects
  /// True to run the steps behind one that failed.
  package var keepsGoing = false

  package init(
    in folder: String, environment: [String: String], words: FindingWords = .usual, effects: Effects
  ) {
    self.folder = folder
    self.environment = environment
    self.words = words
    self.effects = effects
  }

  /// Runs the steps; those behind one that fails are left.
  ///
  /// - Throws: `FileError` where the shell cannot be started.
  package func run(_ steps: [PipelineStep], event: (Event) -> Void) throws(FileError) -> [StepOutcome] {
    var outcomes: [StepOutcome] = []
    var hasFailed = false
    for step in steps {
      guard !hasFailed || keepsGoing else {
        outcomes.append(StepOutcome(step, .left))
        continue
      }
      event(.began(step, effects.now()))
      let missing = step.missing(in: environment)
      let outcome = missing.isEmpty ? try run(step, event) : StepOutcome(step, .skipped, missing: missing)
      event(.ended(outcome, effects.now()))
      outcomes.append(outcome)
      hasFailed = hasFailed || outcome.state == .failed
    }
    return outcomes
  }

  private func run(_ step: PipelineStep, _ event: (Event) -> Void) throws(FileError) -> StepOutcome {
    let start = effects.elapsed()
    var reader = FindingReader(words, isFile: effects.isFile)
    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    let status = try effects.shell.run(.init(step.line, in: folder, environment: variables)) { line in
      reader.take(line)
      event(.line(line))
    }
    reader.close()
    return StepOutcome(
      step, status == 0 ? .done : .failed, status: status, duration: effects.elapsed() - start,
      findings: reader.findings)
  }
}

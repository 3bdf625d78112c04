package import MPaaSCrash
import MPaaSSupport

/// Samples a program, in the best way that is permitted.
package struct Recorder: Sendable {
  package let options: RecordingOptions

  package init(_ options: RecordingOptions) {
    self.options = options
  }

  /// Samples a program to its end, for the time that is wished, or until `isDone` says so.
  ///
  /// A program that was started goes on to its end where the time is over before.
  /// - Throws: `CaptureError`: not there, not permitted, not to be started.
  package func record(
    _ target: RecordingTarget, isDone: @escaping () -> Bool = { false }
  ) throws(CaptureError) -> Recording {
    guard StackReader.isReady else { throw CaptureError(.unsupportedPlatform) }
    return try AttachedLook.onThread { () throws(CaptureError) in
      switch target {
      case .process(let process): try record(process, isDone)
      case .command(let command): try record(command, isDone)
      }
    }
  }

  private var method: RecordingOptions.Method {
    options.method ?? (EventRing.isPermitted ? .events : .stops)
  }

  private func record(_ process: Int32, _ isDone: @escaping () -> Bool) throws(CaptureError) -> Recording {
    guard let status = ProcessStatus(of: process) else { throw CaptureError(.noSuchProcess, process: process) }
    if status.process == ProcessStatus.own { throw CaptureError(.ownProcess, process: process) }
    let end = RecordingEnd(process: process, isChild: false, duration: options.duration, isDone: isDone)
    switch method {
    case .events:
      var recorder = try EventRecorder(options, process: process, isHeld: false)
      return recorder.run(until: end)
    case .stops:
      var recorder = try StopRecorder(options, process: process)
      return recorder.run(until: end)
    }
  }

  private func record(_ command: [String], _ isDone: @escaping () -> Bool) throws(CaptureError) -> Recording {
    guard !command.isEmpty else { throw CaptureError(.commandNotFound, command: "") }
    let program = try HeldProgram(command)
    let end = RecordingEnd(process: program.process, isChild: true, duration: options.duration, isDone: isDone)
    let recording: Recording
    do throws(CaptureError) {
      switch method {
      case .events:
        var recorder = try EventRecorder(options, process: program.process, isHeld: true)
        program.launch()
        recording = recorder.run(until: end)
      case .stops:
        var recorder = try StopRecorder(options, process: program.process)
        program.launch()
        recorder.waitForExec(end)
        recording = recorder.run(until: end)
      }
    } catch {
      program.abandon()
      throw error
    }
    if let failure = program.startError() { throw failure }
    return recording
  }
}

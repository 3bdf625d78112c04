import MPaaSSupport

extension CodedError<ServerDomain>.Code {
  /// As many tasks are open for the device as may be.
  static var tasksTooMany: Self { ServerError.Code("collection-tasks-too-many", exit: .tryAgain) }
  /// The task has ended, or the change does not follow from where it is.
  static var taskState: Self { ServerError.Code("collection-task-state", exit: .negative) }
  /// Another device has picked it up.
  static var taskTaken: Self { ServerError.Code("collection-task-taken", exit: .negative) }
  /// No upload that is whole and verified answers the task.
  static var taskUpload: Self { ServerError.Code("collection-task-upload", exit: .negative) }
  /// The device does not prove that it is the one that it says.
  static var deviceSecret: Self { .refused("collection-device-secret") }
}

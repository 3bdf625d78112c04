extension FrameworkError.Code {
  /// No controller has a prefix that fits, or the one that has does not handle it.
  public static let messageUnhandled = FrameworkError.Code(
    "message-unhandled",
    en: "No controller handles the message {name}{suggestion}.",
    enHelp: "Attach a controller whose prefix the name begins with, and let it handle this name.",
    zh: "没有控制器处理消息 {name}{suggestion}。",
    zhHelp: "请添加（attach）前缀匹配的控制器，并让它处理该名称。")
  /// The error where what was sent is not what the handler takes.
  public static let messageInputMismatched = FrameworkError.Code(
    "message-input-mismatched",
    en: "The handler of the message {name} takes {expected}, not {got}.",
    enHelp: "Send the message by the type that the controller handles.",
    zh: "消息 {name} 的处理函数需要 {expected}，收到的是 {got}。",
    zhHelp: "请按控制器处理的消息类型发送。")
  /// The error where what came out is not what the sender expects.
  public static let messageOutputMismatched = FrameworkError.Code(
    "message-output-mismatched",
    en: "The message {name} was answered with {got}, not {expected}.",
    enHelp: "Let the sender and the controller use the same message type.",
    zh: "消息 {name} 的回复是 {got}，而不是 {expected}。",
    zhHelp: "请让发送方与控制器使用同一个消息类型。")
  /// The handler threw; `underlying` is what it threw.
  public static let messageFailed = FrameworkError.Code(
    "message-failed",
    en: "The message {name} failed: {reason}.",
    enHelp: "The error keeps what its handler threw.",
    zh: "消息 {name} 失败：{reason}。",
    zhHelp: "该错误保留了处理函数抛出的原始错误。")
  /// There was no answer in time.
  public static let messageTimedOut = FrameworkError.Code(
    "message-timed-out",
    en: "The message {name} was not answered within {timeout}.",
    enHelp: "Its handler was cancelled; whatever it still answers is dropped.",
    zh: "消息 {name} 在 {timeout} 内没有得到回复。",
    zhHelp: "其处理任务已取消；之后的回复会被丢弃。")
  /// The sender's task, the handler, or somebody who has the message cancelled it.
  public static let messageCancelled = FrameworkError.Code(
    "message-cancelled",
    en: "The message {name} was cancelled.",
    enHelp: "Whatever its handler still answers is dropped.",
    zh: "消息 {name} 已取消。",
    zhHelp: "处理函数之后的回复会被丢弃。")
  /// A unique message was sent while one of its kind was on its way.
  public static let messageOnItsWay = FrameworkError.Code(
    "message-on-its-way",
    en: "The message {name} is on its way already, and only one may be.",
    enHelp: "Wait for the first one, or cancel it.",
    zh: "消息 {name} 正在处理中，同时只允许一个。",
    zhHelp: "请等待第一个完成，或将其取消。")
  /// A handler waits for a message that waits for that handler.
  public static let messageWaitsForItself = FrameworkError.Code(
    "message-waits-for-itself",
    en: "The message {name} would wait for itself: {path}.",
    enHelp: "Post it instead of waiting for it, or let its controller deliver concurrently.",
    zh: "消息 {name} 会等待自身：{path}。",
    zhHelp: "请改用 post 而不等待，或让该控制器并发派发。")
  /// Two controllers have the same prefix.
  public static let controllerAttachedTwice = FrameworkError.Code(
    "controller-attached-twice",
    en: "A controller for the prefix {name} is attached already; "
      + "{controller}, attached at {other_place}, cannot have it too.",
    enHelp: "Give one of them a longer prefix, or detach the first.",
    zh: "前缀 {name} 已有控制器；在 {other_place} 添加的 {controller} 不能再使用它。",
    zhHelp: "请为其中一个设置更长的前缀，或先移除（detach）前一个。")
  /// A controller has two handlers for a message.
  public static let messageHandledTwice = FrameworkError.Code(
    "message-handled-twice",
    en: "{controller} has two handlers for the message {name}.",
    enHelp: "Keep one of them.",
    zh: "{controller} 为消息 {name} 注册了两个处理函数。",
    zhHelp: "请只保留一个。")
  /// A controller handles a message whose name does not begin with its prefix.
  public static let messageOutsidePrefix = FrameworkError.Code(
    "message-outside-prefix",
    en: "{controller} handles the message {name}, which does not begin with its prefix {prefix}.",
    enHelp: "Such a message would never reach it; rename one of the two.",
    zh: "{controller} 处理消息 {name}，但该名称不以其前缀 {prefix} 开头。",
    zhHelp: "这样的消息永远不会到达它；请修改两者之一。")
  /// The queue was closed.
  public static let messageQueueClosed = FrameworkError.Code(
    "message-queue-closed",
    en: "The message {name} was not sent: the queue is closed.",
    enHelp: "Nothing may be sent after close() or terminate().",
    zh: "消息 {name} 未发送：队列已关闭。",
    zhHelp: "close() 或 terminate() 之后不能再发送。")
}

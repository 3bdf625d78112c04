import MPaaSSupport

/// The code of mPaaS' gateway for the outcome of a call, as its pages list them.
package enum GatewayResult: Int, Sendable, CaseIterable {
  case success = 1000
  case denied = 1001
  case limitReached = 1002
  case notAuthorized = 1005
  case sessionOver = 2000
  case noOperation = 3000
  case dataEmpty = 3001
  case dataMalformed = 3002
  case decryption = 3003
  case serviceTimedOut = 4001
  case serviceFailed = 4002
  case hostUnknown = 4003
  case unknown = 5000
  case noKey = 7000
  case signatureArguments = 7001
  case signatureWrong = 7002
  case timeOutOfWindow = 7003
  case noTime = 7007
  case noSignature = 7014
  case preflight = 8002

  /// The words for developers, in the header `Memo`.
  package var memo: String {
    switch self {
    case .success: "success"
    case .denied: "the call is denied"
    case .limitReached: "the limit of calls is reached"
    case .notAuthorized: "the app may not call the operation"
    case .sessionOver: "the session is over"
    case .noOperation: "no such operation, or it is closed"
    case .dataEmpty: "the request data is empty"
    case .dataMalformed: "the request data is no JSON array"
    case .decryption: "the request data cannot be decrypted"
    case .serviceTimedOut: "the service took too long"
    case .serviceFailed: "the service failed"
    case .hostUnknown: "the host of the service is unknown"
    case .unknown: "unknown error"
    case .noKey: "no key is known for the app"
    case .signatureArguments: "parts that the signature covers are missing"
    case .signatureWrong: "the signature is wrong"
    case .timeOutOfWindow: "the time of the call is out of the window"
    case .noTime: "the call has no time"
    case .noSignature: "the call has no signature"
    case .preflight: "the preflight request was refused"
    }
  }

  /// The words for users, in the header `Tips`; nil where they can do nothing.
  package var tips: String? {
    switch self {
    case .limitReached: "系统繁忙，请稍后再试"
    case .sessionOver: "登录已失效，请重新登录"
    case .serviceTimedOut, .hostUnknown: "网络不给力，请稍后再试"
    case .timeOutOfWindow: "请检查手机时间是否正确"
    case .notAuthorized, .denied: "没有访问权限"
    default: nil
    }
  }

  /// Text in a header, where all but printable ASCII stands as `%XX`.
  static func headerText(_ text: String) -> String {
    PercentEncoding.encode(text.utf8) { $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "%") }
  }
}

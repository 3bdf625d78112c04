import MPaaSLogs

var settings = LogSettings(minimumLevel: .info)
settings.redaction = .always
settings.subsystemLevels = ["payment": .debug]
Log.begin(try LogWriter(folder: "logs"), settings)

let order = 4711
let user = "customer-7"
let address = "12 Harbor Road"
Log.info("Order", "order \(order) of \(user, privacy: .hash) to \(address)", ["items": 3])

let payment = Log(subsystem: "payment")
payment.debug("Bank", "asking \("example bank", privacy: .public)")

Log.end()

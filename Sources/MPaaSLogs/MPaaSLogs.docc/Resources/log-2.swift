import MPaaSLogs

Log.begin(try LogWriter(folder: "logs"))

let order = 4711
Log.info("Order", "order \(order) came in", ["route": .public("/order"), "items": 3])

Log.end()

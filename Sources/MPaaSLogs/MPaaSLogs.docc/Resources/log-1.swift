import MPaaSLogs

Log.begin(try LogWriter(folder: "logs"))
Log.end()

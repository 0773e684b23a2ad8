import Foundation
import LMDB
import Platform

struct Unexpected: Error, CustomStringConvertible {
    let description: String
}

func run(_ arguments: [String]) throws {
    guard arguments.count >= 2 else { throw Unexpected(description: "Name a command and a folder.") }
    let path = arguments[1]
    switch (arguments[0], arguments.count) {
    case ("fill", 4): try fill(path, prefix: arguments[2], rows: Int(arguments[3]) ?? 0, tight)
    case ("watch", 3): try watch(path, rows: Int(arguments[2]) ?? 0, tight)
    case ("hold", 2): try hold(path)
    case ("hold-unlocked", 2): try holdUnlocked(path)
    case ("lock", 2): try lock(path)
    case ("commit", 4): try commit(path, prefix: arguments[2], rows: Int(arguments[3]) ?? 0)
    case ("copy", 2): try copyWhileOpen(path)
    case ("limit", 3): try openWithin(path, mebibytes: Int(arguments[2]) ?? 0)
    case ("die", 2): try die(path, tight)
    case ("fork", 2): try forkAndUse(path)
    case ("damage", 5): try damage(path, pristine: arguments[2], cases: arguments[3], progress: arguments[4])
    default: throw Unexpected(description: "Unknown command: \(arguments)")
    }
}

/// With a map that is far too small.
private let tight = Environment.Options(durability: .unsynced, mapSize: 64 << 10)

/// What is written ahead stays so until the test goes on, however long that takes.
private func openEnvironment(_ path: String) throws -> Environment {
    var options = Environment.Options()
    options.idleTime = .infinity
    return try Environment.open(at: path, options: options)
}

/// Adds rows, one a transaction, beginning with a map that is far too small. Waits for a signal, so that two begin at
/// once.
private func fill(_ path: String, prefix: String, rows: Int, _ options: Environment.Options) throws {
    let environment = try Environment.open(at: path, options: options)
    let table = try environment.tables(["rows"])[0]
    say("ready")
    _ = readLine()
    for row in 0..<rows {
        try environment.write { transaction in
            try transaction.put(
                Array("\(prefix)\(row)".utf8), [UInt8](repeating: UInt8(row % 251), count: 700), in: table)
        }
    }
}

/// Reads every row again and again until there are as many as expected; the number must never fall.
private func watch(_ path: String, rows: Int, _ options: Environment.Options) throws {
    let environment = try Environment.open(at: path, options: options)
    let table = try environment.tables(["rows"])[0]
    say("ready")
    var seen = 0
    while seen < rows {
        let found = try environment.read { transaction in
            var cursor = try transaction.cursor(on: table)
            var found = 0
            while let row = try found == 0 ? cursor.first() : cursor.next() {
                guard row.value.count == 700, row.value.allSatisfy({ $0 == row.value[0] }) else {
                    throw Unexpected(description: "A row is not as it was written.")
                }
                found += 1
            }
            return found
        }
        guard found >= seen else { throw Unexpected(description: "\(found) rows after \(seen)") }
        seen = found
    }
}

/// Stays inside a read transaction, without LMDB's locks, until it is killed.
private func holdUnlocked(_ path: String) throws {
    let environment = try openEnvironment(path)
    try environment.read { _ in
        // Closing any descriptor of the file drops them.
        close(open(path + "/lock.mdb", O_RDONLY))
        say("holding")
        while true { sleep(1000) }
    }
}

/// Stays inside a read transaction until it is killed.
private func hold(_ path: String) throws {
    let environment = try openEnvironment(path)
    try environment.read { _ in
        say("holding")
        _ = readLine()
    }
}

/// Keeps a write transaction open until it is signalled.
private func lock(_ path: String) throws {
    let environment = try openEnvironment(path)
    try environment.write { _ in
        say("locked")
        _ = readLine()
    }
}

/// Adds rows, one a synced transaction, reports each, and waits with the environment open.
private func commit(_ path: String, prefix: String, rows: Int) throws {
    let environment = try openEnvironment(path)
    let table = try environment.tables(["rows"])[0]
    for row in 0..<rows {
        try environment.write { try $0.put(Array("\(prefix)\(row)".utf8), Array("\(row)".utf8), in: table) }
    }
    say("committed")
    _ = readLine()
}

/// Reads the files of an environment that it has open, as a copying program does: closing `lock.mdb` drops this
/// process's `fcntl` locks. Then waits, writes, and waits.
private func copyWhileOpen(_ path: String) throws {
    let environment = try openEnvironment(path)
    let table = try environment.tables(["rows"])[0]
    for row in 0..<20 { try environment.write { try $0.put(Array("own\(row)".utf8), [1], in: table) } }
    let descriptor = open(path + "/lock.mdb", O_RDONLY)
    close(descriptor)
    say("copied")
    _ = readLine()
    try environment.write { try $0.put(Array("later".utf8), [1], in: table) }
    say("written")
    _ = readLine()
}

/// Opens an environment in a process that may reserve little address space, and prints the row count.
private func openWithin(_ path: String, mebibytes: Int) throws {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ").first
    let present = (pages.flatMap { rlim_t($0) } ?? 0) * rlim_t(sysconf(Int32(_SC_PAGESIZE)))
    var limit = rlimit()
    limit.rlim_cur = present + rlim_t(mebibytes << 20)
    limit.rlim_max = limit.rlim_cur
    guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else {
        throw Unexpected(description: "No limit: \(errno)")
    }
    let environment = try Environment.open(at: path, options: Environment.Options())
    let table = try environment.tables(["rows"])[0]
    say("\(try environment.read { try $0.count(of: table) })")
}

/// Ends inside a write transaction, with the writer lock held and without telling LMDB.
private func die(_ path: String, _ options: Environment.Options) throws {
    let environment = try Environment.open(at: path, options: options)
    let table = try environment.tables(["rows"])[0]
    try environment.write { transaction in
        try transaction.put(Array("unfinished".utf8), [1], in: table)
        _exit(7)
    }
}

/// Uses an environment on both sides of a fork, and prints the child's results.
private func forkAndUse(_ path: String) throws {
    let environment = try openEnvironment(path)
    let table = try environment.tables(["rows"])[0]
    // Swift hides fork(), for good reasons; the reasons are what is tested here.
    typealias Fork = @convention(c) () -> pid_t
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "fork") else {
        throw Unexpected(description: "There is no fork().")
    }
    // Sound: the symbol is the system's fork, which has this signature.
    let child = unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 {
        for use in [
            { try environment.read { _ in } }, { try environment.write { _ in } },
            { _ = try environment.tables(["rows"]) }, { try environment.sync() },
        ] {
            do {
                try use()
                say("not detected")
            } catch {
                say((error as? StorageError)?.code.rawValue ?? "\(error)")
            }
        }
        let anew = try openEnvironment(path)
        let tableAnew = try anew.tables(["rows"])[0]
        try anew.write { try $0.put(Array("child".utf8), [1], in: tableAnew) }
        say("child wrote")
        _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    try environment.write { try $0.put(Array("parent".utf8), [1], in: table) }
    say("child ended with \(status)")
}

func say(_ words: String) {
    print(words)
    fflush(nil)
}

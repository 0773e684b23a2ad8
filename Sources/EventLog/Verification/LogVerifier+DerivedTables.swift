import Events

/// Compares the tables that are derived from the commits with what the commits yield.
extension LogVerifier {
    mutating func checkHeads() throws {
        var verifier = self
        var seen: Set<LineID> = []
        try rows.forEachRow(of: .heads) { key, value in
            guard let line = LineID(key), let head = LineHead(value) else {
                return verifier.find("head", "A row of heads cannot be read.")
            }
            seen.insert(line)
            let state = verifier.lines[line] ?? Line()
            if head.sequence.rawValue != state.sequence || head.hash != state.hash
                || head.timestamp != state.timestamp || head.position.rawValue != state.position
                || head.signed.rawValue != state.signed || head.unsignedBytes != state.unsigned.bytes
            {
                verifier.find(
                    "head",
                    "The head names commit \(head.sequence) at position \(head.position), signed up to \(head.signed), "
                        + "and the line ends with \(state.sequence) at \(state.position), signed up to "
                        + "\(state.signed).", line, head.sequence.rawValue)
            }
        }
        for line in verifier.lines.keys where !seen.contains(line) {
            verifier.find("head", "The line of replica \(line.replica) has no head.", line, 0)
        }
        self = verifier
    }

    mutating func checkRuns() throws {
        var verifier = self
        var rest = runs
        try rows.forEachRow(of: .runs) { key, value in
            guard key.count == 12, value.count == 8, let line = verifier.numbers[key.bigEndian(UInt32.self)] else {
                return verifier.find("run", "A row of runs cannot be read.")
            }
            let sequence = key.bigEndian(UInt64.self, at: 4)
            let position = value.bigEndian(UInt64.self)
            if rest[line]?.removeValue(forKey: sequence) != position {
                verifier.find(
                    "run", "A run names position \(position), where no run of the line begins.", line, sequence)
            }
        }
        for (line, missing) in rest {
            for sequence in missing.keys.sorted() {
                verifier.find("run", "A run of the line is not listed.", line, sequence)
            }
        }
        self = verifier
    }

    /// In a founded journal the table names exactly the commits that may hold statements about members.
    mutating func checkMembers() throws {
        var listed: Set<UInt64> = []
        var unreadable = 0
        try rows.forEachRow(of: .members) { key, value in
            guard key.count == 8, value.isEmpty else {
                unreadable += 1
                return
            }
            listed.insert(key.bigEndian(UInt64.self))
        }
        if unreadable > 0 { find("member", "\(unreadable) rows of members cannot be read.") }
        let expected = Set(memberPositions.filter { $0.key.isFounded }.flatMap(\.value))
        for position in listed.subtracting(expected).sorted() {
            find("member", "A row of members names position \(position), where nothing is said of them.", at: position)
        }
        for position in expected.subtracting(listed).sorted() {
            find("member", "What the commit says of members is not listed.", at: position)
        }
    }

    /// Lines are numbered 1, 2, 3…, and a branch leaves a line of its replica before it ends.
    mutating func checkLineNumbers() throws {
        var verifier = self
        var heads: [UInt32: (line: LineID, head: LineHead)] = [:]
        var count: UInt32 = 0
        try rows.forEachRow(of: .heads) { key, value in
            count += 1
            guard let line = LineID(key), let head = LineHead(value) else { return }
            if let other = heads.updateValue((line, head), forKey: head.line) {
                verifier.find(
                    "head",
                    "Line number \(head.line) is that of two lines, of replicas \(line.replica) and "
                        + "\(other.line.replica).", line, head.sequence.rawValue)
            }
            if (line.branch == nil) != (head.branch == nil) {
                verifier.find("head", "A row of heads has the key of another form than its value.", line, 0)
            }
        }
        for (number, (line, head)) in heads.sorted(by: { $0.key < $1.key }) {
            if !(1...count).contains(number) {
                verifier.find("head", "Line number \(number) is none of 1 to \(count).", line, head.sequence.rawValue)
            }
            guard let branch = head.branch else { continue }
            let parent = heads[branch.parent]
            let isRight =
                branch.parent == 0
                ? branch.first.rawValue == 1
                : parent.map {
                    $0.line.journal == line.journal && $0.line.replica == line.replica && $0.line != line
                        && $0.head.first < branch.first && branch.first.rawValue &- 1 <= $0.head.sequence.rawValue
                } ?? false
            if !isRight {
                verifier.find(
                    "head", "A branch leaves line \(branch.parent) with commit \(branch.first), which cannot be.", line,
                    branch.first.rawValue)
            }
        }
        self = verifier
    }

    /// After the commits: compares the rows with them.
    mutating func checkMeta() throws {
        var found: [[UInt8]: [UInt8]] = [:]
        try rows.forEachRow(of: .meta) { key, value in found[[UInt8](key)] = [UInt8](value) }
        // A log whose creation was cut off.
        if found.isEmpty && lines.isEmpty { return }
        func number<T: FixedWidthInteger & BitwiseCopyable>(_ key: [UInt8], _ type: T.Type) -> T? {
            found[key].flatMap { value in
                value.count == MemoryLayout<T>.size ? value.withUnsafeBytes { $0.bigEndian(T.self) } : nil
            }
        }
        let format = number(MetaKey.format, UInt32.self) ?? 0
        if format == 0 || format > CommitHeader.currentFormat {
            find("meta", "The log says that its format is \(format).")
        }
        guard
            let journal = found[MetaKey.journal].flatMap({
                $0.count == 16 ? JournalID($0.withUnsafeBytes { $0.uuid() }) : nil
            }),
            let replica = found[MetaKey.replica].flatMap({ ReplicaID($0) })
        else { return find("meta", "The log does not name its journal and its replica.") }
        if !lines.isEmpty, !lines.keys.contains(where: { $0.journal == journal }) {
            find("meta", "The log says that its journal is \(journal), and has no commit of it.")
        }
        let own = LineID(journal: journal, replica: replica)
        let newest = lines.filter { $0.key != own }.map(\.value.timestamp).max() ?? .zero
        let seen = found[MetaKey.seen] == nil ? 0 : number(MetaKey.seen, UInt64.self)
        if seen != newest.rawValue {
            find(
                "meta",
                "The log says that the newest timestamp of others is \(seen ?? 0), and it is \(newest.rawValue).")
        }
        if let rewrites = found[MetaKey.rewrites], rewrites.count != 8 {
            find(
                "meta", "The number of transactions that changed stored commits has \(rewrites.count) bytes and not 8.")
        }
        if (found[MetaKey.membership] != nil) != journal.isFounded
            || found[MetaKey.membership].map({ $0.count != 16 }) ?? false
        {
            find(
                "meta",
                "The state of the members of journal \(journal) is missing, has not 16 bytes, or there should be none.")
        }
        checkErasingIndex(found, erasingPositions[journal] ?? [])
        if let name = found[MetaKey.name], String(validating: name, as: UTF8.self) == nil {
            find("meta", "The name of the device is not UTF-8.")
        }
    }

    /// The index of a log that has one names exactly the commits with statements about erasing.
    private mutating func checkErasingIndex(_ meta: [[UInt8]: [UInt8]], _ expected: Set<UInt64>) {
        guard let token = meta[MetaKey.erasing] else { return }
        var listed: Set<UInt64> = []
        for (key, value) in meta {
            let entry = key.withUnsafeBytes { key in value.withUnsafeBytes { ErasingIndex.entry(key, $0) } }
            if let entry { listed.insert(entry.position) }
        }
        if token.count != 16 || listed.isEmpty != (token == ErasingIndex.noStatements) {
            find("meta", "The state of what is erased has not 16 bytes, or is not that of the listed commits.")
        }
        for position in listed.subtracting(expected).sorted() {
            find(
                "meta", "The index of what is erased names position \(position), where nothing is said of it.",
                at: position)
        }
        for position in expected.subtracting(listed).sorted() {
            find("meta", "What the commit says about erasing is not listed.", at: position)
        }
    }
}

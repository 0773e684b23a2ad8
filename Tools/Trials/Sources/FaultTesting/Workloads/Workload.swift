/// A use of stores, as steps of named processes.
public struct Workload: Sendable, CustomStringConvertible {
    public enum Step: Sendable {
        /// A command for a process, which is started if it is not running. It may kill itself in it.
        case tell(String, String)
        /// Starts a process whose user has another home: the machine's records lie in that folder.
        case start(String, home: String)
        /// Kills a process at once.
        case kill(String)
        /// Lets a process end by itself.
        case end(String)
        /// The power is cut: all processes end, the medium is left as the seed has it, and the following steps are
        /// recorded.
        case cutPower(seed: UInt64)
    }

    public let name: String
    public let steps: [Step]

    public var description: String { name }

    init(_ name: String, _ steps: [Step]) {
        self.name = name
        self.steps = steps
    }

    /// Every workload that images are made of.
    public static let all: [Workload] = [
        Workload("creation", single("open s", "small s 1")),
        Workload("small commits", single("open s", "small s 40", "edit s 10", "close s")),
        Workload("many tasks", single("open s", "tasks s 8 8", "close s")),
        Workload("large commits", single("open s", "small s 2", "large s 4", "small s 6", "large s 2", "close s")),
        Workload("mixed", single("open s", "mixed s 60 1", "close s", "open s", "mixed s 20 2")),
        Workload("wraps", single("open s", "small s 620", "close s")),
        Workload("two processes", turns + [.tell("b", "close s"), .tell("a", "close s")]),
        Workload(
            "killed beside a live one",
            [
                .tell("a", "open s"), .tell("a", "small s 6"), .tell("b", "open s"), .tell("b", "small s 8"),
                .tell("b", "die 90"), .tell("b", "small s 100"), .tell("a", "small s 12"), .tell("a", "close s"),
            ]),
        Workload(
            "recovery",
            [
                .tell("a", "open s"), .tell("a", "small s 30"), .tell("a", "die 20"), .tell("a", "small s 100"),
                .tell("b", "die 12"), .tell("b", "open s"), .tell("c", "open s"), .tell("c", "small s 3"),
                .tell("c", "close s"),
            ]),
        Workload(
            "recovery after a power cut",
            [
                .tell("a", "open s"), .tell("a", "small s 30"), .cutPower(seed: 3), .tell("b", "open s"),
                .tell("b", "small s 5"), .tell("b", "close s"),
            ]),
        rewrite,
        Workload("killed rewrites", killedRewrites + ["open s", "small s 2", "close s"].map { .tell("a", $0) }),
        Workload(
            "close", single("open s", "small s 12", "close s", "open s", "small s 5", "close s", "open s", "close s")),
        Workload(
            "rebuild", single("open s", "small s 20", "rebuild s", "small s 6", "rebuild s", "small s 2", "close s")),
        Workload(
            "key renewal", single("open s", "small s 8", "close s", "copy s t", "open t", "small t 6", "close t")),
        Workload(
            "move", single("open s", "small s 8", "close s", "move s t", "open t", "small t 6", "close t")),
        Workload(
            "restore",
            single(
                "open s", "small s 8", "close s", "copy s t", "open s", "small s 5", "close s", "open t", "small t 6",
                "close t")),
        Workload("two homes", [.start("b", home: "other")] + ["a", "b", "a", "b"].flatMap(turn)),
        Workload(
            "clock ahead",
            single(
                "found s", "small s 8", "clock 400", "small s 6", "edit s 3", "clock 0", "small s 4", "close s",
                "open s",
                "small s 3", "close s")),
        Workload(
            "bundles",
            single(
                "open s", "small s 12", "bundle s first.bundle", "open t", "read t first.bundle s", "small t 4",
                "bundle t second.bundle", "small s 3", "read s second.bundle t", "close s", "close t")),
        Workload(
            "exchange",
            single(
                "open s", "small s 20", "open t", "exchange t s", "small t 6", "small s 4", "exchange s t", "close t",
                "small s 3")),
    ]

    /// An opening that rewrites the log's file, of a store that was whole on the medium before, and what follows.
    public static let rewrite = Workload(
        "rewrite",
        single("open s", "large s 1", "small s 12", "erase s 6", "close s") + [.cutPower(seed: 11)]
            + single("open s", "small s 3"))

    /// Openings that end in the middle of a rewrite, each followed by one that concludes it and by writes.
    private static let killedRewrites: [Step] =
        ((1...4).map { "\($0) renames" } + stride(from: 12, through: 60, by: 8).map { "\($0)" }).flatMap { moment in
            ["open s", "small s 2", "erase s 1", "close s"].map { .tell("a", $0) }
                + [.end("a"), .tell("b", "die \(moment)"), .tell("b", "open s"), .end("b")]
        }

    private static func single(_ commands: String...) -> [Step] { commands.map { .tell("a", $0) } }

    /// A process opens the store, writes and closes it.
    private static func turn(_ process: String) -> [Step] {
        ["open s", "small s 5", "close s"].map { .tell(process, $0) }
    }

    private static let turns: [Step] =
        [.tell("a", "open s"), .tell("b", "open s")]
        + (0..<4).flatMap { _ in [Step.tell("a", "small s 6"), .tell("b", "small s 6")] }
}

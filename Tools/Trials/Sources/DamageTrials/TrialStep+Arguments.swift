extension TrialStep {
    /// The command line of the step; empty if it uses the library, because no command does it.
    func arguments(_ places: Sample.Places, _ subjects: Sample.Subjects) -> [String] {
        switch self {
        case .appViews, .verifyAppViews: []
        case .bundleShow: ["bundle", "show", places.bundle, "--json", "--store", places.store]
        // A new store, of the bundle alone.
        case .clone: ["clone", places.bundle, places.out("clone")]
        case .bundleRead: ["bundle", "read", places.bundle, "--store", places.peer]
        case .cloneStore: ["clone", places.store, places.out("copy")]
        default:
            (reading(places, subjects) ?? writing(places, subjects) ?? exchanging(places, subjects)
                ?? deciding(subjects) ?? []) + ["--store", places.store]
        }
    }

    private func reading(_ places: Sample.Places, _ subjects: Sample.Subjects) -> [String]? {
        switch self {
        case .status: ["status", "--json", "--digests"]
        case .frontier: ["status", "--frontier"]
        case .trips: ["trips", "--all", "--json"]
        case .overlapping:
            ["trips", "--all", "--json", "--overlapping", "--from", "2027-02-01", "--to", "2027-12-31", "--reverse"]
        case .undated: ["trips", "--all", "--json", "--undated"]
        case .tripsAsOf: ["trips", "--all", "--json", "--as-of", subjects.position]
        case .show: ["show", subjects.trip, "--json"]
        case .showAsOf: ["show", subjects.trip, "--json", "--as-of", subjects.position]
        case .auditLog: ["audit", "log", "--all", "--json"]
        case .auditTrip: ["audit", "log", "--all", "--json", "--reverse", "--trip", subjects.trip]
        case .auditShow: ["audit", "show", subjects.position]
        case .auditBlame: ["audit", "blame", subjects.trip, "--json"]
        case .auditDiff: ["audit", "diff", "0", subjects.position, "--json"]
        case .auditConflicts: ["audit", "conflicts", "--all", "--json"]
        case .conflicts: ["conflicts"]
        case .auditReport: ["audit", "report", places.out("report.html"), "--force"]
        case .verifyLog: ["audit", "verify"]
        case .verifyViews: ["replay", "--verify"]
        case .replayAsOf: ["replay", "--as-of", subjects.position, "--json"]
        case .replayInto: ["replay", "--into", places.out("views"), "--json"]
        case .tail: ["tail", "--no-follow"]
        case .peers: ["peers", "--json"]
        case .members: ["members", "--json"]
        case .attachments: ["attachments", "--json"]
        case .find: ["find", "a", "--all", "--json", "--as-of", subjects.position]
        case .doctor: ["doctor", "--json"]
        case .erasures: ["erasures", "--json"]
        case .list: ["list", "items", "--all", "--json"]
        case .listAsOf: ["list", "organizations", "--all", "--json", "--as-of", subjects.position]
        case .listWhere:
            [
                "list", "trips", "--where", "name contains 'a' or days overlaps 2027-02-01 to 2027-12-31", "--all",
                "--json",
            ]
        case .subscriptions: ["subscriptions", "--json"]
        case .templates: ["templates", "--json", "--as-of", subjects.position]
        case .agenda: ["agenda", "2027-05-01..2027-12-31", "--json", "--as-of", subjects.position]
        case .totals: ["totals", "--json", "--as-of", subjects.position]
        case .export: ["export", "-", "--format", "json"]
        case .exportCalendar: ["export", "-", "--format", "ics", "--costs"]
        case .listTravellers: ["list", "travellers", "--all", "--json"]
        case .undoPlan: ["undo", "--trip", subjects.trip, "--since", "1", "--dry-run", "--json"]
        case .redoPlan: ["redo", "--author", Sample.undoer, "--dry-run", "--json"]
        default: nil
        }
    }

    private func writing(_ places: Sample.Places, _ subjects: Sample.Subjects) -> [String]? {
        switch self {
        case .begin: ["init", "--name", "another"]
        case .add: ["add", "trip", "--name", "Added"]
        case .attach: ["attach", subjects.trip, places.export]
        case .save: ["save", "ticket.pdf", places.out("ticket.pdf")]
        case .discard: ["discard", "ticket.pdf", "--yes"]
        case .addActivity: ["add", "activity", "--name", "Walk", "--trip", subjects.trip]
        case .addLodging: ["add", "lodging", "--name", "Inn", "--trip", subjects.trip]
        case .addTransportation:
            ["add", "transportation", "--name", "Ferry", "--mode", "boat", "--trip", subjects.trip]
        case .addOrganization: ["add", "organization", "--name", "Ferries"]
        case .addOwn: ["add", "own", "packing", "--set", "what=socks"]
        case .addTraveller: ["add", "traveller", "--name", "Ana"]
        case .addBudget:
            ["add", "budget", "--trip", subjects.trip, "--amount", "100", "--currency", "EUR"]
        case .addRate: ["add", "rate", "--trip", subjects.trip, "--pair", "NOK/EUR", "--rate", "0.0875"]
        case .addChecklist: ["add", "checklist", "--name", "Packing", "--trip", subjects.trip]
        case .addEntry: ["add", "entry", "--name", "passport", "--list", "Packing"]
        case .copy: ["copy", subjects.trip, "--name", "Copied"]
        case .saveTemplate: ["copy", subjects.trip, "--template"]
        case .shift: ["shift", subjects.trip, "--days", "1"]
        case .edit: ["edit", subjects.otherTrip, "--notes", "Edited", "--clear", "destination"]
        case .editWhere: ["edit", "trips", "--where", "isProtected = false", "--notes", "Edited"]
        case .delete: ["delete", subjects.otherTrip]
        case .erase: ["erase", subjects.otherTrip, "--mine", "--yes"]
        case .deleteWhere: ["delete", "activities", "--where", "name contains 'a'", "--yes"]
        case .restore: ["restore", subjects.deletedTrip]
        case .move: ["move", subjects.item, "--to", subjects.otherTrip]
        case .undo: ["undo", "--last"]
        case .undoTrip: ["undo", "--trip", subjects.trip, "--since", "1"]
        case .redo: ["redo", "--author", Sample.undoer]
        case .resolve: ["resolve", subjects.conflict, "--take", "superseded"]
        case .replay: ["replay"]
        case .replayView: ["replay", "--view", "trips-by-start"]
        case .tailSubscription: ["tail", "--subscription", Sample.subscription, "--no-follow"]
        default: nil
        }
    }

    private func exchanging(_ places: Sample.Places, _ subjects: Sample.Subjects) -> [String]? {
        switch self {
        case .sync: ["sync", places.peer]
        case .adopt: ["sync", places.stranger, "--adopt"]
        case .importFile: ["import", places.export]
        case .importMirror: ["import", places.export, "--mirror", "--json"]
        case .importCalendar: ["import", places.calendar, "--json"]
        case .importTable: ["import", places.table, "--mapping", places.mapping, "--new-trip", "Table"]
        case .dump: ["dump", places.out("log.jsonl")]
        case .load: ["load", places.dump]
        case .loadAnew: ["load", places.dump, "--anew"]
        case .bundleReadNews: ["bundle", "read", places.news]
        case .bundleWrite: ["bundle", "write", places.out("new.bundle")]
        case .bundleWriteSince: ["bundle", "write", places.out("since.bundle"), "--holds", places.bundle]
        case .bundleWriteFor: ["bundle", "write", places.out("for.bundle"), "--for", subjects.replica]
        case .backup: ["backup", places.out("backup")]
        case .forget: ["peers", "--forget", subjects.replica]
        default: nil
        }
    }
    /// Of members.
    private func deciding(_ subjects: Sample.Subjects) -> [String]? {
        switch self {
        case .grant: ["grant", subjects.replica, "admin"]
        case .revoke: ["revoke", subjects.replica]
        case .invite: ["invite", "--uses", "2", "--json"]
        case .join: ["join", subjects.invitation]
        case .void: ["void", subjects.position]
        default: nil
        }
    }
}

extension OutputPart {
    /// Travellers, budgets, checklists, copies and templates.
    static func planning(_ session: inout OutputSession) async throws {
        let trip = try await session.add("trip", "--name", "Lisbon", "--start-date", "2027-05-01")
        let ana = try await session.add("traveller", "--name", "Ana", "--email", "a@b.c", "--color", "#2F6FDE")
        _ = try await session.add(
            "lodging", "--name", "Inn", "--trip", trip, "--cost", "90", "--currency", "EUR", "--paid", "in-full",
            "--insert",
            "participants=Ana", "--set", "payer=Ana", "--set", "split=amounts", "--set", "amounts[Ana]=80 EUR", "--set",
            "parts[Ana]=2")
        _ = try await session.add("traveller", "--name", "Ben")
        _ = try await session.add(
            "activity", "--name", "Dinner", "--trip", trip, "--start", "2027-05-01T20:00", "--end", "2027-05-01T22:00",
            "--start-time-zone", "Europe/Lisbon", "--end-time-zone", "Europe/Lisbon", "--cost", "30", "--currency",
            "EUR", "--paid", "in-full",
            "--set", "payer=Ben", "--insert", "participants=Ana")
        _ = try await session.add(
            "activity", "--name", "Fado", "--trip", trip, "--start", "2027-05-01T21:00", "--end", "2027-05-01T23:00",
            "--start-time-zone", "Europe/Lisbon", "--end-time-zone", "Europe/Lisbon", "--cost", "20", "--currency",
            "USD",
            "--set", "payer=Ben")
        _ = try await session.add("budget", "--trip", trip, "--amount", "100", "--currency", "EUR")
        _ = try await session.add("rate", "--trip", trip, "--pair", "USD/EUR", "--rate", "0.9")
        let list = try await session.add("checklist", "--name", "Packing", "--trip", trip, "--purpose", "packing")
        _ = try await session.add(
            "entry", "--name", "socks", "--list", list, "--assignee", ana, "--due-day", "2027-04-30")
        try await session.run("receipt", "edit", trip, "--insert", "travellers=Ana")
        try await session.run("receipt", "edit", "socks", "--done")
        try await session.run("receipt", "move", list, "--at", "1")
        try await session.run("receipt", "move", trip, "--at", "1")
        try await session.run("shown trip", "show", trip)
        try await session.run("shown trip", "show", trip, "--as-of", "9")
        try await session.run("shown item", "show", "Inn")
        try await session.run("shown own", "show", list)
        try await session.run("agenda day", "agenda", "--trip", trip)
        try await session.run("agenda day", "agenda", "2027-05-01..2027-05-02")
        try await session.run("agenda finding", "agenda", "--trip", trip, "--findings")
        try await session.run("totals", "totals", trip)
        try await session.run("totals", "totals")
        try await session.run("totals", "totals", trip, "--in", "EUR")
        try await session.run("cost group", "totals", trip, "--by", "traveller")
        try await session.run("own row", "list", "travellers")
        try await session.run("own row", "list", "entries", "--where", "isDone = yes")
        try await session.run("column row", "list", "budgets", "--columns", "category,amount,trip")
        try await session.run("copied trip", "copy", trip, "--template", "--name", "City break")
        try await session.run("preview", "copy", trip, "--dry-run")
        try await session.run("trip row", "templates")
        try await session.run("receipt", "shift", trip, "--days", "2")
        try await session.run("preview", "shift", trip, "--to", "2027-06-01", "--dry-run")
        try await session.run("blame", "audit", "blame", "Inn")
    }
}

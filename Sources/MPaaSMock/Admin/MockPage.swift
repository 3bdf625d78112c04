/// The page that shows traffic, why nothing fitted, and makes stubs of requests.
package enum MockPage {
  package static let path = "/__mpaas"

  package static func answer(_ request: MockRequest, _ hosts: Set<String>?) -> MockAnswer {
    if let refusal = AdminGuard.refusal(of: request, hosts: hosts) { return refusal }
    return MockAnswer(
      200,
      headers: [
        ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
        (
          "Content-Security-Policy",
          "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; "
            + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        ),
      ], body: Array(source.utf8))
  }

  // Texts of requests are only ever set as text, never as markup.
  private static let source = """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>mpaas gateway mock</title>
    <style>
    :root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif }
    body { margin: 1.5rem auto; max-width: 70rem; padding: 0 1rem }
    h1 { font-size: 1.3rem } table { border-collapse: collapse; width: 100% }
    th, td { border-bottom: 1px solid #8884; padding: .3rem .5rem; text-align: start; vertical-align: top }
    td.url { word-break: break-all } .bad { color: #c33 } .faint { opacity: .65 }
    pre { margin: .2rem 0; white-space: pre-wrap; font: inherit }
    ul { margin: .2rem 0; padding-inline-start: 1.2rem } button { font: inherit }
    </style></head><body>
    <h1>mpaas gateway mock</h1>
    <p><span id="state" role="status" class="faint"></span>
    <label><input type="checkbox" id="unmatched"> unmatched only</label>
    <button id="clear">Clear</button></p>
    <table><thead><tr><th>Time</th><th>Request</th><th>Status</th><th>Answer</th><th></th></tr></thead>
    <tbody id="rows"></tbody></table>
    <script>
    const $ = id => document.getElementById(id), admin = '/__admin/';
    const ask = (path, method, body) => fetch(admin + path, {
      method: method || 'GET', body: body && JSON.stringify(body),
      headers: body ? {'Content-Type': 'application/json'} : {}}).then(r => r.json());
    const cell = (row, text, name) => { const td = row.insertCell(); td.textContent = text;
      if (name) td.className = name; return td };
    const button = (td, text, work) => { const b = document.createElement('button'); b.textContent = text;
      b.onclick = work; td.append(b) };
    async function why(event, td) {
      const found = await ask('near-misses/request', 'POST', event.request);
      const list = document.createElement('ul');
      for (const miss of found.nearMisses) {
        const item = document.createElement('li');
        item.textContent = (miss.stubMapping.name || miss.stubMapping.id) + ' at ' +
          miss.matchResult.distance.toFixed(3) + ': ' + JSON.stringify(miss.requestPattern);
        list.append(item);
      }
      // The answer tells of pacts and documents, too.
      const told = document.createElement('pre');
      told.textContent = (event.response || {}).body || '';
      td.replaceChildren(told, list);
    }
    async function stub(event) {
      const request = {method: event.request.method, url: event.request.url};
      const old = event.response || {};
      const body = prompt('Body of the answer to ' + request.method + ' ' + request.url,
        event.wasMatched ? old.body || '' : '{}');
      if (body === null) return;
      await ask('mappings', 'POST', {request, response: {status: 200, body,
        headers: {'Content-Type': 'application/json'}}});
      show();
    }
    async function show() {
      try {
        const query = $('unmatched').checked ? '&unmatched=true' : '';
        const all = await ask('requests?limit=200' + query), health = await ask('health');
        $('state').textContent = all.meta.total + ' requests, ' + health.stubs + ' stubs. ' + health.message;
        $('state').className = health.status === 'healthy' ? 'faint' : 'bad';
        const rows = document.createElement('tbody');
        for (const event of all.requests) {
          const row = rows.insertRow();
          cell(row, new Date(event.request.loggedDate).toLocaleTimeString());
          cell(row, event.request.method + ' ' + event.request.url, 'url');
          cell(row, event.response.status, event.wasMatched ? '' : 'bad');
          const td = cell(row, event.mpaas ? event.mpaas.source + ' ' + (event.mpaas.name || event.mpaas.id) : '');
          if (!event.wasMatched) button(td, 'Why?', () => why(event, td));
          button(row.insertCell(), 'Make a stub', () => stub(event));
        }
        $('rows').replaceChildren(...rows.childNodes);
      } catch (error) { $('state').textContent = error; $('state').className = 'bad' }
    }
    let seen = '';
    setInterval(async () => {
      try { const all = await ask('requests?limit=1');
        const now = all.meta.total + (all.requests[0] || {}).id;
        if (now !== seen) { seen = now; show() } } catch (error) { show() }
    }, 1000);
    $('unmatched').onchange = show;
    $('clear').onclick = () => ask('requests', 'DELETE').then(show);
    show();
    </script></body></html>
    """
}

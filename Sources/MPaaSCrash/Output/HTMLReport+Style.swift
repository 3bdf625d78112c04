extension HTMLReport {
  /// The look: the system's fonts, its colours for light and dark.
  static let style = """
    :root{color-scheme:light dark;--bg:#fff;--fg:#1d1d1f;--dim:#6e6e73;--line:#e3e3e8;--card:#f6f6f8;--accent:#c5221f;--own:#0b57d0;--hit:#fdecea}
    @media(prefers-color-scheme:dark){:root{--bg:#161618;--fg:#ececf0;--dim:#9a9aa2;--line:#323238;--card:#1f1f23;--accent:#ff8a80;--own:#8ab4f8;--hit:#3b2322}}
    *{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"PingFang SC","Noto Sans CJK SC",sans-serif}
    main{max-width:1100px;margin:0 auto;padding:24px 16px 64px}
    h1{font-size:1.35rem;line-height:1.3;margin:0 0 16px;overflow-wrap:anywhere}h2{font-size:1.05rem;margin:28px 0 8px}
    small{color:var(--dim);font-weight:400}
    dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:0 0 20px;padding:12px 16px;background:var(--card);border-radius:10px}
    dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
    .bar{position:sticky;top:0;display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;padding:8px 0;background:var(--bg);z-index:1}
    .bar input[type=search]{flex:1 1 220px;min-width:0;padding:7px 12px;font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px}
    .bar label{color:var(--dim);white-space:nowrap}
    .stack{border:1px solid var(--line);border-radius:10px;margin:8px 0;overflow:hidden}
    .stack>summary{cursor:pointer;padding:9px 14px;background:var(--card);overflow-wrap:anywhere}
    .decisive>summary{color:var(--accent);font-weight:600}
    .frames{list-style:none;margin:0;padding:4px 0;font:13px/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
    .frames li{display:grid;grid-template-columns:3ch minmax(8ch,26ch) 1fr auto auto;gap:0 14px;padding:2px 14px}
    .frames .n{color:var(--dim);text-align:right}.frames .m{color:var(--dim);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
    .frames .f{overflow-wrap:anywhere}.frames .raw{color:var(--dim)}.frames .p{color:var(--dim);grid-column:5}.frames i{color:var(--dim);font-style:normal;font-size:11px;grid-column:4}
    .own .f{color:var(--own)}.sys .f{color:var(--dim)}
    .blamed{background:var(--hit)}.blamed .f{color:var(--accent);font-weight:600}
    .hidden{display:none!important}
    figure{margin:0;border-bottom:1px solid var(--line)}figcaption{padding:8px 14px 0;color:var(--dim);font-size:13px;overflow-wrap:anywhere}
    pre{margin:0;padding:8px 0;overflow-x:auto;font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;tab-size:2}
    pre span,pre mark{display:inline-block;min-width:100%;padding:0 14px;background:none;color:inherit}pre mark{background:var(--hit)}
    pre em{display:inline-block;width:5ch;margin-right:2ch;text-align:right;color:var(--dim);font-style:normal;user-select:none}
    .wide{overflow-x:auto}table{border-collapse:collapse;font:12px/1.5 ui-monospace,Menlo,Consolas,monospace;margin:8px 14px}td{padding:1px 12px 1px 0;white-space:nowrap}
    .none{margin:8px 14px;color:var(--dim)}
    @media(max-width:640px){dl{grid-template-columns:1fr;gap:0}dd{margin:0 0 8px}.frames li{grid-template-columns:3ch 1fr auto;gap:0 10px;padding:4px 12px}.frames .f{grid-column:2/-1}.frames .m{grid-column:2;grid-row:1}.frames .n{grid-row:1}.frames i{grid-column:3;grid-row:1}.frames .p{grid-column:2/-1}}
    summary:focus-visible{outline:2px solid var(--own);outline-offset:-2px}
    @media print{.bar{display:none}main{max-width:none;padding:0}.frames li{break-inside:avoid}.stack{overflow:visible}}
    """

  /// Filters the frames as one types; without scripts the page is whole, only not filtered.
  static let script = """
    <script>
    (function(){var q=document.getElementById("q"),own=document.getElementById("own"),open=new Map;
    function run(){var t=q.value.toLowerCase(),on=t||own.checked;document.querySelectorAll("details.stack").forEach(function(d){var any=false,rows=d.querySelectorAll(".frames li");if(!rows.length)return;
    rows.forEach(function(r){var hit=(!t||r.textContent.toLowerCase().indexOf(t)>=0)&&(!own.checked||r.classList.contains("own"));r.classList.toggle("hidden",!hit);any=any||hit});
    if(on){if(!open.has(d))open.set(d,d.open);d.open=any&&(!!t||open.get(d));d.classList.toggle("hidden",!any)}else{if(open.has(d)){d.open=open.get(d);open.delete(d)}d.classList.remove("hidden")}})}
    q.addEventListener("input",run);own.addEventListener("change",run);
    var shut=[];addEventListener("beforeprint",function(){shut=[].slice.call(document.querySelectorAll("details.stack:not([open])")).filter(function(d){return d.querySelector(".frames")});shut.forEach(function(d){d.open=true})});
    addEventListener("afterprint",function(){shut.forEach(function(d){d.open=false});shut=[]})})();
    </script>
    """
}

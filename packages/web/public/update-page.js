/* For WebViews older than Chrome 111: one sentence in ten languages and the way to the update. ES5. */
(function () {
  var words = {
    en: [
      'This phone’s browser is too old',
      'Update “Android System WebView” and Chrome, then open the app again.',
      'Update now',
    ],
    hn: [
      'इस फ़ोन का ब्राउज़र पुराना है',
      '“Android System WebView” और Chrome को अपडेट करें, फिर ऐप दोबारा खोलें।',
      'अभी अपडेट करें',
    ],
    mr: ['या फोनचा ब्राउझर जुना आहे', '“Android System WebView” आणि Chrome अपडेट करा, मग ॲप पुन्हा उघडा.', 'आता अपडेट करा'],
    gj: ['આ ફોનનું બ્રાઉઝર જૂનું છે', '“Android System WebView” અને Chrome અપડેટ કરો, પછી ઍપ ફરી ખોલો.', 'હમણાં અપડેટ કરો'],
    sp: [
      'El navegador de este teléfono es muy antiguo',
      'Actualice “Android System WebView” y Chrome y abra la app de nuevo.',
      'Actualizar',
    ],
    bd: ['এই ফোনের ব্রাউজার পুরোনো', '“Android System WebView” আর Chrome আপডেট করুন, তারপর অ্যাপটি আবার খুলুন।', 'এখনই আপডেট করুন'],
    kn: ['ಈ ಫೋನ್‌ನ ಬ್ರೌಸರ್ ಹಳೆಯದು', '“Android System WebView” ಮತ್ತು Chrome ಅಪ್‌ಡೇಟ್ ಮಾಡಿ, ನಂತರ ಆ್ಯಪ್ ಮತ್ತೆ ತೆರೆಯಿರಿ.', 'ಈಗ ಅಪ್‌ಡೇಟ್ ಮಾಡಿ'],
    tg: ['ఈ ఫోన్ బ్రౌజర్ పాతది', '“Android System WebView”, Chrome అప్‌డేట్ చేసి, యాప్‌ను మళ్లీ తెరవండి.', 'ఇప్పుడే అప్‌డేట్ చేయండి'],
    tm: [
      'இந்த போனின் பிரவுசர் பழையது',
      '“Android System WebView”, Chrome இரண்டையும் அப்டேட் செய்து, ஆப்பை மீண்டும் திறக்கவும்.',
      'இப்போது அப்டேட் செய்',
    ],
    pp: ['ਇਸ ਫ਼ੋਨ ਦਾ ਬ੍ਰਾਊਜ਼ਰ ਪੁਰਾਣਾ ਹੈ', '“Android System WebView” ਅਤੇ Chrome ਅੱਪਡੇਟ ਕਰੋ, ਫਿਰ ਐਪ ਦੁਬਾਰਾ ਖੋਲ੍ਹੋ।', 'ਹੁਣੇ ਅੱਪਡੇਟ ਕਰੋ'],
  };
  var hit = /(?:^|; )i18next=(\w+)/.exec(document.cookie);
  var mine = words[hit && hit[1]] || words.en;
  function show() {
    var root = document.getElementById('root');
    root.innerHTML = '';
    var box = document.createElement('div');
    box.style.cssText =
      'max-width:320px;margin:25vh auto 0;padding:16px;text-align:center;font-family:sans-serif;color:#1c1b19';
    var title = document.createElement('h1');
    title.style.cssText = 'margin:0 0 12px;font-size:20px;font-weight:bold';
    title.appendChild(document.createTextNode(mine[0]));
    var text = document.createElement('p');
    text.style.margin = '0 0 20px';
    text.appendChild(document.createTextNode(mine[1]));
    var link = document.createElement('a');
    link.href = 'https://play.google.com/store/apps/details?id=com.google.android.webview';
    link.style.cssText =
      'display:block;padding:16px;border-radius:14px;background:#3538a6;color:#fff;text-decoration:none;font-weight:bold';
    link.appendChild(document.createTextNode(mine[2]));
    box.appendChild(title);
    box.appendChild(text);
    box.appendChild(link);
    root.appendChild(box);
    document.body.style.background = '#faf8f4';
  }
  if (document.getElementById('root')) show();
  else document.addEventListener('DOMContentLoaded', show);
})();

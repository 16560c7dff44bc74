import type { Translation } from '../catalogue.ts';
import type { callButtons as en } from '../en/call-buttons.ts';

export const callButtons: Translation<typeof en> = {
  'callButtons.title': 'कॉल बटन',
  'callButtons.intro':
    'आपकी वेबसाइट का एक बटन, जिससे आगंतुक अपने ब्राउज़र से आपको कॉल करते हैं। पेज को बस एक स्क्रिप्ट टैग चाहिए।',
  'callButtons.new': 'नया कॉल बटन',
  'callButtons.empty.title': 'अभी कोई कॉल बटन नहीं',
  'callButtons.empty.text': 'एक बनाएँ, और उसका स्क्रिप्ट टैग अपनी वेबसाइट में रखें।',
  'callButtons.name.hint': 'कुंजी इसी से शुरू होती है, और कॉल रिकॉर्ड में दिखती है।',
  'callButtons.to': 'किसे कॉल करता है',
  'callButtons.to.hint': 'आपका कोई नंबर, या कोई मेन्यू, विभाग या दूसरा गंतव्य।',
  'callButtons.origins': 'वेब ओरिजिन',
  'callButtons.origins.hint': 'जहाँ बटन काम करता है, जैसे https://www.example.com: हर पंक्ति में एक, बिना पाथ के।',
  'callButtons.edit': 'बदलें',
  'callButtons.edit.of': '{name} को बदलें',
  'callButtons.edit.title': 'कॉल बटन बदलें',
  'callButtons.gone': 'इस बीच यह बटन रद्द कर दिया गया। नया बनाएँ।',
  'callButtons.script': 'स्क्रिप्ट टैग',
  'callButtons.script.of': '{name} का स्क्रिप्ट टैग',
  'callButtons.script.text': 'इसे अपने पेज में वहाँ रखें जहाँ बटन दिखना चाहिए।',
  'callButtons.script.https':
    'ब्राउज़र माइक्रोफ़ोन सिर्फ़ HTTPS वाले पेजों को और localhost के पेजों को देते हैं। आगंतुक इस सेवा तक किसी दूसरे पते से पहुँचते हों तो टैग में पता बदलें।',
  'callButtons.example': 'एक उदाहरण पेज',
  'callButtons.example.text': '{origin} के लिए बटन वाला पूरा पेज। यह आगंतुक से नाम पूछता है।',
  'callButtons.example.copy': 'पेज कॉपी करें',
  'callButtons.revoke': 'रद्द करें',
  'callButtons.revoke.of': '{name} को रद्द करें',
  'callButtons.revoke.title': '“{name}” को रद्द करें?',
  'callButtons.revoke.text':
    'बटन हर पेज पर तुरंत काम करना बंद कर देता है, और उसकी कॉलें कुछ ही सेकंड में कट जाती हैं। नए बटन की कुंजी दूसरी होती है।',
  'callButtons.revoked': 'रद्द कर दिया गया।',
};
